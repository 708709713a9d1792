// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Task attributes (SAM-5, "Task attributes"): HEAD OF QUEUE goes at once and before all others; ORDERED waits for all
 * that came before it; SIMPLE waits for an ORDERED one that came before it.
 */
#include "disk.h"

bool disk_enabled(const DiskTasks *s, const DiskTask *t)
{
	const DiskTask *o;

	if (t->attribute == DISK_HEAD || (!s->ordered && !s->heads))
		return true;
	if (s->heads)
		return false;
	TAILQ_FOREACH(o, &s->list, next) {
		if (o == t)
			return true;
		if (t->attribute == DISK_ORDERED || o->attribute == DISK_ORDERED)
			return false;
	}
	return true;
}
