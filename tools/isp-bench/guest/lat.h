/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Latencies: counting them while I/O runs, and percentiles afterwards. Nothing here allocates, prints
 * or calls the system.
 */
#ifndef LAT_H
#define LAT_H

#include <stddef.h>
#include <stdint.h>

/* Buckets of a histogram: 32 in each octave; below 32 ns one for each. */
#define LAT_STEPS	32
#define LAT_STEP_BITS	5
#define LAT_BUCKETS	((64 - LAT_STEP_BITS + 1) * LAT_STEPS)

/**
 * struct lat - latencies of one worker, or of all, in ns
 * @count: how many
 * @sum: of all
 * @min: the smallest; UINT64_MAX while there is none
 * @max: the largest
 * @over_2s: how many took more than 2 s
 * @over_10s: how many took more than 10 s
 * @bucket: how many are in each bucket
 */
struct lat {
	uint64_t count;
	uint64_t sum;
	uint64_t min;
	uint64_t max;
	uint64_t over_2s;
	uint64_t over_10s;
	uint64_t bucket[LAT_BUCKETS];
};

void lat_init(struct lat *lat);
void lat_add(struct lat *lat, uint64_t ns);
void lat_merge(struct lat *into, const struct lat *from);

unsigned int lat_bucket(uint64_t ns);
uint64_t lat_bucket_lower(unsigned int bucket);
uint64_t lat_bucket_upper(unsigned int bucket);

/*
 * The nearest-rank percentile: the smallest latency that at least @permille of 1000 do not exceed; 0
 * where there are none. The first takes all latencies in ascending order and is exact; the other answers
 * with the upper end of a bucket (at most 1/32 too large), or the largest there was.
 */
uint64_t lat_exact(const uint64_t *sorted, uint64_t count, unsigned int permille);
uint64_t lat_estimate(const struct lat *lat, unsigned int permille);

#endif
