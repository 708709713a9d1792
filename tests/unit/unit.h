/* SPDX-License-Identifier: GPL-2.0-only */
/* The little that the host's unit tests share: CHECK() counts and tells what does not hold. */
#ifndef UNIT_H
#define UNIT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned int failures;

#define CHECK(cond, ...) do {						\
	if (!(cond)) {							\
		printf("%s:%d: %s: ", __FILE__, __LINE__, #cond);	\
		printf(__VA_ARGS__);					\
		putchar('\n');						\
		failures++;						\
	}								\
} while (0)

static int unit_result(void)
{
	if (failures)
		printf("%u checks failed\n", failures);
	return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
