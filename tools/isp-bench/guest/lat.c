// SPDX-License-Identifier: GPL-2.0-only
/* Latencies: see lat.h. */
#include <string.h>

#include "lat.h"

#define NS_PER_S	1000000000ull

void lat_init(struct lat *lat)
{
	memset(lat, 0, sizeof(*lat));
	lat->min = UINT64_MAX;
}

/*
 * Within an octave the bucket is the five bits below the highest one, so that no division is needed;
 * the first octaves, which have fewer bits than that, are exact.
 */
unsigned int lat_bucket(uint64_t ns)
{
	unsigned int shift;

	if (ns < LAT_STEPS)
		return ns;
	shift = 63 - LAT_STEP_BITS - __builtin_clzll(ns);
	return (shift + 1) * LAT_STEPS + (unsigned int)(ns >> shift) - LAT_STEPS;
}

uint64_t lat_bucket_lower(unsigned int bucket)
{
	if (bucket < LAT_STEPS)
		return bucket;
	return (uint64_t)(bucket % LAT_STEPS + LAT_STEPS) << (bucket / LAT_STEPS - 1);
}

/* The last value in it; a histogram's upper end is one above. */
uint64_t lat_bucket_upper(unsigned int bucket)
{
	return bucket + 1 < LAT_BUCKETS ? lat_bucket_lower(bucket + 1) - 1 : UINT64_MAX;
}

void lat_add(struct lat *lat, uint64_t ns)
{
	lat->count++;
	lat->sum += ns;
	if (ns < lat->min)
		lat->min = ns;
	if (ns > lat->max)
		lat->max = ns;
	lat->over_2s += ns > 2 * NS_PER_S;
	lat->over_10s += ns > 10 * NS_PER_S;
	lat->bucket[lat_bucket(ns)]++;
}

void lat_merge(struct lat *into, const struct lat *from)
{
	into->count += from->count;
	into->sum += from->sum;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	into->over_2s += from->over_2s;
	into->over_10s += from->over_10s;
	for (unsigned int i = 0; i < LAT_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
}

/* How many of @count latencies the percentile has to cover. */
static uint64_t rank(uint64_t count, unsigned int permille)
{
	uint64_t thousands = count / 1000, rest = count % 1000;

	return thousands * permille + (rest * permille + 999) / 1000;
}

uint64_t lat_exact(const uint64_t *sorted, uint64_t count, unsigned int permille)
{
	uint64_t place = rank(count, permille);

	if (!count)
		return 0;
	return sorted[place ? place - 1 : 0];
}

uint64_t lat_estimate(const struct lat *lat, unsigned int permille)
{
	uint64_t place = rank(lat->count, permille), seen = 0;

	for (unsigned int i = 0; i < LAT_BUCKETS; i++) {
		seen += lat->bucket[i];
		if (seen && seen >= place) {
			uint64_t upper = lat_bucket_upper(i);

			return upper < lat->max ? upper : lat->max;
		}
	}
	return 0;
}
