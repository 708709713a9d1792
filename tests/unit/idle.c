// SPDX-License-Identifier: GPL-2.0-only
/* isp-io's reading of /proc/stat. */
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "unit.h"
#include "../../tools/isp-bench/guest/idle.h"

/* Read a text as if it were /proc/stat. */
static bool read_text(const char *text, uint64_t *ticks, unsigned int *cpus)
{
	static char path[] = "/tmp/isp-idle-XXXXXX";
	char name[sizeof(path)];
	bool result;
	FILE *out;
	int fd;

	memcpy(name, path, sizeof(path));
	fd = mkstemp(name);
	out = fdopen(fd, "w");
	fputs(text, out);
	fclose(out);
	result = idle_ticks(name, ticks, cpus);
	unlink(name);
	return result;
}

int main(void)
{
	unsigned int cpus = 0;
	uint64_t ticks = 0;
	bool known;

	/* All others hold their tongue: numbers that are easily told apart. */
	known = read_text("cpu  1 20 300 4000 50000 600000 0 0 0 0\ncpu0 1 10 100 2000 20000 0 0 0 0 0\n"
			  "cpu1 0 10 200 2000 30000 0 0 0 0 0\nintr 7 8 9\nctxt 5\n", &ticks, &cpus);
	CHECK(known && ticks == 54000 && cpus == 2, "%d %llu %u", known, (unsigned long long)ticks, cpus);
	/* Linux 2.4 with one processor */
	known = read_text("cpu  1 20 300 4000\ncpu0 1 20 300 4000\npage 1 2\n", &ticks, &cpus);
	CHECK(known && ticks == 4000 && cpus == 1, "%d %llu %u", known, (unsigned long long)ticks, cpus);
	known = read_text("cpu  1 20 300 4000\npage 1 2\n", &ticks, &cpus);
	CHECK(known && ticks == 4000 && cpus == 1, "%d %llu %u", known, (unsigned long long)ticks, cpus);
	CHECK(!read_text("cpu  1 20\n", &ticks, &cpus), "too few numbers");
	CHECK(!read_text("", &ticks, &cpus), "nothing");
	CHECK(!idle_ticks("/nonexistent/stat", &ticks, &cpus), "no file");
	return unit_result();
}
