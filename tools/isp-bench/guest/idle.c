// SPDX-License-Identifier: GPL-2.0-only
/* How long the processors were idle: see idle.h. Layout: proc(5). */
#include <stdio.h>
#include <string.h>

#include "idle.h"

bool idle_ticks(const char *path, uint64_t *ticks, unsigned int *cpus)
{
	/* Kernels before 2.5.41 do not tell waiting for I/O apart. */
	unsigned long long idle = 0, iowait = 0;
	char line[512];
	FILE *in = fopen(path, "r");
	bool found = false;

	if (!in)
		return false;
	*cpus = 0;
	while (fgets(line, sizeof(line), in)) {
		if (!strncmp(line, "cpu ", 4))
			found = sscanf(line + 4, "%*u %*u %*u %llu %llu", &idle, &iowait) >= 1;
		else if (!strncmp(line, "cpu", 3))
			++*cpus;
	}
	fclose(in);
	/* One processor has no line of its own in old kernels. */
	if (!*cpus)
		*cpus = 1;
	*ticks = idle + iowait;
	return found;
}
