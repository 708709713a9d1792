// SPDX-License-Identifier: GPL-2.0-only
/* isp-io's histogram and percentiles. */
#include <stdint.h>

#include "unit.h"
#include "../../tools/isp-bench/guest/lat.h"

#define NS_PER_S	1000000000ull

/* Numbers of every size, the same in each run. */
static uint64_t some_number(void)
{
	static uint64_t state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> state % 60;
}

static void buckets_meet_and_are_narrow(void)
{
	CHECK(lat_bucket_lower(0) == 0, "%llu", (unsigned long long)lat_bucket_lower(0));
	CHECK(lat_bucket_upper(LAT_BUCKETS - 1) == UINT64_MAX, "the last ends early");
	for (unsigned int i = 0; i < LAT_BUCKETS; i++) {
		uint64_t lower = lat_bucket_lower(i), upper = lat_bucket_upper(i);

		CHECK(upper >= lower, "bucket %u", i);
		CHECK(i == 0 || lat_bucket_upper(i - 1) + 1 == lower, "a gap below bucket %u", i);
		CHECK(lat_bucket(lower) == i, "bucket %u begins in %u", i, lat_bucket(lower));
		CHECK(lat_bucket(upper) == i, "bucket %u ends in %u", i, lat_bucket(upper));
		CHECK(upper - lower <= lower / LAT_STEPS, "bucket %u is too wide", i);
	}
}

static void every_number_is_in_its_bucket(void)
{
	for (unsigned int i = 0; i < 100000; i++) {
		uint64_t ns = some_number();
		unsigned int bucket = lat_bucket(ns);

		CHECK(bucket < LAT_BUCKETS && lat_bucket_lower(bucket) <= ns && ns <= lat_bucket_upper(bucket),
		      "%llu in %u", (unsigned long long)ns, bucket);
	}
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The definition, by counting: @ns covers enough, and the next smaller one does not. */
static int is_percentile(const uint64_t *sorted, unsigned int count, unsigned int permille, uint64_t ns)
{
	unsigned int below = 0, covered = 0;

	for (unsigned int i = 0; i < count; i++) {
		below += sorted[i] < ns;
		covered += sorted[i] <= ns;
	}
	return covered > below && covered * 1000ull >= (uint64_t)count * permille &&
	       below * 1000ull < (uint64_t)count * permille;
}

static void percentiles_are_those_of(unsigned int count)
{
	static const unsigned int permille[] = { 1, 500, 900, 990, 999, 1000 };
	uint64_t *ns = malloc(count * sizeof(*ns));
	static struct lat lat;

	lat_init(&lat);
	for (unsigned int i = 0; i < count; i++) {
		ns[i] = some_number();
		lat_add(&lat, ns[i]);
	}
	qsort(ns, count, sizeof(*ns), ascending);
	for (unsigned int i = 0; i < sizeof(permille) / sizeof(permille[0]); i++) {
		uint64_t exact = lat_exact(ns, count, permille[i]);
		uint64_t estimate = lat_estimate(&lat, permille[i]);

		CHECK(is_percentile(ns, count, permille[i], exact), "%u of %u: %llu", permille[i], count,
		      (unsigned long long)exact);
		CHECK(estimate >= exact && estimate - exact <= exact / LAT_STEPS, "%u of %u: %llu, about %llu",
		      permille[i], count, (unsigned long long)exact, (unsigned long long)estimate);
	}
	CHECK(lat.min == ns[0] && lat.max == ns[count - 1] && lat.count == count, "%u", count);
	free(ns);
}

static void nothing_is_nothing(void)
{
	static struct lat lat;
	uint64_t one = 5;

	lat_init(&lat);
	CHECK(lat_estimate(&lat, 990) == 0, "%llu", (unsigned long long)lat_estimate(&lat, 990));
	CHECK(lat_exact(&one, 0, 990) == 0, "%llu", (unsigned long long)lat_exact(&one, 0, 990));
	CHECK(lat_exact(&one, 1, 1) == 5 && lat_exact(&one, 1, 1000) == 5, "one latency is all percentiles");
}

static void two_together_are_as_one(void)
{
	static struct lat a, b, both;

	lat_init(&a);
	lat_init(&b);
	lat_init(&both);
	for (unsigned int i = 0; i < 1000; i++) {
		uint64_t ns = some_number() % (20 * NS_PER_S);

		lat_add(i % 3 ? &a : &b, ns);
		lat_add(&both, ns);
	}
	lat_merge(&a, &b);
	CHECK(!memcmp(&a, &both, sizeof(a)), "they differ");
}

static void long_ones_are_counted(void)
{
	static const uint64_t ns[] = { 0, 2 * NS_PER_S, 2 * NS_PER_S + 1, 10 * NS_PER_S, 10 * NS_PER_S + 1 };
	static struct lat lat;

	lat_init(&lat);
	for (unsigned int i = 0; i < sizeof(ns) / sizeof(ns[0]); i++)
		lat_add(&lat, ns[i]);
	CHECK(lat.over_2s == 3, "%llu", (unsigned long long)lat.over_2s);
	CHECK(lat.over_10s == 1, "%llu", (unsigned long long)lat.over_10s);
	CHECK(lat.sum == 24 * NS_PER_S + 2, "%llu", (unsigned long long)lat.sum);
}

int main(void)
{
	buckets_meet_and_are_narrow();
	every_number_is_in_its_bucket();
	percentiles_are_those_of(1);
	percentiles_are_those_of(2);
	percentiles_are_those_of(100);
	percentiles_are_those_of(1999);
	percentiles_are_those_of(2000);
	nothing_is_nothing();
	two_together_are_as_one();
	long_ones_are_counted();
	return unit_result();
}
