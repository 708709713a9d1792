/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef IDLE_H
#define IDLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What a file like /proc/stat says: ticks that all processors together were idle or waited for I/O, and how many
 * processors there are; false where it does not.
 */
bool idle_ticks(const char *path, uint64_t *ticks, unsigned int *cpus);

#endif
