// SPDX-License-Identifier: GPL-2.0-only
/*
 * SHA-256 as FIPS 180-4 defines it, over a whole buffer at once.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sha256.h"

#define BLOCK 64

/* FIPS 180-4, 4.2.2: fractional parts of the cube roots of the first 64 primes */
static const uint32_t round_constant[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotate_right(uint32_t x, unsigned int n)
{
	return x >> n | x << (32 - n);
}

/* FIPS 180-4, 6.2.2, step 1: the message schedule of one block */
static void schedule(const uint8_t *block, uint32_t w[64])
{
	for (int t = 0; t < 16; t++)
		w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
		       (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
	for (int t = 16; t < 64; t++) {
		uint32_t s0 =
			rotate_right(w[t - 15], 7) ^ rotate_right(w[t - 15], 18) ^ w[t - 15] >> 3;
		uint32_t s1 =
			rotate_right(w[t - 2], 17) ^ rotate_right(w[t - 2], 19) ^ w[t - 2] >> 10;

		w[t] = s1 + w[t - 7] + s0 + w[t - 16];
	}
}

/* FIPS 180-4, 6.2.2, steps 2 to 4: one block into the state; s[0] is a, s[7] is h */
static void compress(uint32_t state[8], const uint8_t *block)
{
	uint32_t s[8], w[64];

	schedule(block, w);
	memcpy(s, state, sizeof(s));
	for (int t = 0; t < 64; t++) {
		uint32_t sum1 =
			rotate_right(s[4], 6) ^ rotate_right(s[4], 11) ^ rotate_right(s[4], 25);
		uint32_t choose = (s[4] & s[5]) ^ (~s[4] & s[6]);
		uint32_t t1 = s[7] + sum1 + choose + round_constant[t] + w[t];
		uint32_t sum0 =
			rotate_right(s[0], 2) ^ rotate_right(s[0], 13) ^ rotate_right(s[0], 22);
		uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);

		memmove(&s[1], &s[0], 7 * sizeof(s[0]));
		s[4] += t1;
		s[0] = t1 + sum0 + majority;
	}
	for (int i = 0; i < 8; i++)
		state[i] += s[i];
}

/**
 * sha256_hex() - SHA-256 sum of a buffer in lower-case hexadecimal
 * @data: buffer
 * @len: its length in bytes
 * @hex: the 64 digits and a terminating zero
 */
void sha256_hex(const void *data, size_t len, char hex[SHA256_HEX])
{
	uint32_t state[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};
	const uint8_t *p = data;
	uint8_t tail[2 * BLOCK] = { 0 };
	size_t rest = len % BLOCK;
	size_t tail_len = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;
	uint64_t bits = (uint64_t)len * 8;

	for (size_t i = 0; i + BLOCK <= len; i += BLOCK)
		compress(state, p + i);

	/* a 1 bit, zeroes and the length in bits, high byte first, end the last block */
	if (rest)
		memcpy(tail, p + len - rest, rest);
	tail[rest] = 0x80;
	for (int i = 0; i < 8; i++)
		tail[tail_len - 1 - i] = bits >> (8 * i);
	for (size_t i = 0; i < tail_len; i += BLOCK)
		compress(state, tail + i);

	for (int i = 0; i < 8; i++)
		snprintf(hex + 8 * i, 9, "%08x", state[i]);
}
