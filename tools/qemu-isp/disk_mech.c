// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mechanics of a disk: where a sector is, how long the way there takes, how fast it passes by.
 *
 * The model is that of C. Ruemmler and J. Wilkes, "An introduction to disk drive modeling", IEEE Computer 27(3),
 * March 1994: a seek curve that is a square root for short distances and a straight line for long ones, a settle
 * time, head switches, zones, and skews that make up for the switches.
 */
#include "disk.h"

#define US 1000ULL

static uint64_t root(uint64_t x)
{
	uint64_t r = 0, bit = 1ULL << 62;

	while (bit > x)
		bit >>= 2;
	for (; bit; bit >>= 2) {
		if (x >= r + bit) {
			x -= r + bit;
			r = (r >> 1) + bit;
		} else {
			r >>= 1;
		}
	}
	return r;
}

/*
 * The curve through the three figures of a data sheet.  With x the distance as a part of the stroke, the mean of
 * sqrt(x) over all pairs of cylinders is 8/15 and that of x 1/3, so that average - track = 8/15 root + 1/3 linear
 * and full - track = root + linear.
 */
static const char *fit_seek(DiskMech *m, const DiskParams *p)
{
	int64_t mean = (int64_t)p->seek_average_us - p->seek_track_us;
	int64_t full = (int64_t)p->seek_full_us - p->seek_track_us;
	int64_t by_root = (15 * mean - 5 * full) * (int64_t)US / 3;

	if (mean < 0 || full < 0 || by_root < 0 || by_root > full * (int64_t)US)
		return "no seek curve has that time for one track, that average and that for the whole stroke";
	m->settle_ns = p->seek_track_us * US;
	m->root_ns = by_root;
	m->linear_ns = full * US - by_root;
	return 0;
}

uint64_t disk_seek_ns(const DiskMech *m, uint32_t cylinders)
{
	uint64_t stroke = m->cylinders > 1 ? m->cylinders - 1 : 1;

	if (!cylinders)
		return 0;
	return m->settle_ns + (m->root_ns * root(((uint64_t)cylinders << 32) / stroke) >> 16) +
	       m->linear_ns * cylinders / stroke;
}

static uint64_t zone_sectors(const DiskMech *m, uint32_t z)
{
	uint32_t end = z + 1 < m->zones ? m->zone[z + 1].cylinder : m->cylinders;

	return (uint64_t)(end - m->zone[z].cylinder) * m->heads * m->zone[z].spt;
}

/* Cylinders are shared out evenly; returns how many sectors there are. */
static uint64_t lay_out(DiskMech *m, const DiskParams *p)
{
	uint64_t sector = 0;

	for (uint32_t z = 0; z < m->zones; z++)
		m->zone[z].cylinder = (uint64_t)m->cylinders * z / m->zones;
	for (uint32_t z = 0; z < m->zones; z++) {
		uint32_t less = m->zones > 1 ? (p->outer_spt - p->inner_spt) * z / (m->zones - 1) : 0;

		m->zone[z].spt = p->outer_spt - less;
		m->zone[z].sector = sector;
		sector += zone_sectors(m, z);
	}
	return sector;
}

/* 12 GB on a surface, as on the disks of 2002 (six heads for 73 GB). */
#define SURFACE (12000000000ULL / DISK_SECTOR)

static const char *fit_capacity(DiskMech *m, const DiskParams *p)
{
	uint64_t cylinder;

	m->heads = p->heads ? p->heads : (p->sectors + SURFACE - 1) / SURFACE;
	m->zones = p->zones;
	cylinder = (uint64_t)m->heads * (p->outer_spt + p->inner_spt) / 2;
	if (p->sectors / cylinder > UINT32_MAX / 2)
		return "too many cylinders: more heads";
	m->cylinders = p->sectors / cylinder;
	if (m->cylinders < p->zones)
		m->cylinders = p->zones;
	while (lay_out(m, p) < p->sectors)
		m->cylinders++;
	return 0;
}

const char *disk_mech_init(DiskMech *m, const DiskParams *p)
{
	const char *bad;

	if (!p->rpm || p->rpm > 1000000)
		return "rpm: 1 to 1000000";
	if (!p->zones || p->zones > DISK_MAX_ZONES)
		return "zones: 1 to 64";
	if (!p->inner_spt || p->inner_spt > p->outer_spt || p->outer_spt > 1000000)
		return "sectors per track: at least 1, no more inside than outside";
	if (p->heads > 255 || (!p->heads && p->sectors > 255 * SURFACE))
		return "heads: 0 to 255";
	m->rev_ns = 60000000000ULL / p->rpm;
	m->phase_ns = (p->seed * 0x9e3779b97f4a7c15ULL >> 24) % m->rev_ns;
	bad = fit_seek(m, p);
	if (!bad)
		bad = fit_capacity(m, p);
	if (bad)
		return bad;
	m->write_settle_ns = p->write_settle_us * US;
	m->head_switch_ns = p->head_switch_us * US;
	m->cylinder_switch_ns = disk_seek_ns(m, 1);
	if (m->cylinder_switch_ns < m->head_switch_ns)
		m->cylinder_switch_ns = m->head_switch_ns;
	return 0;
}

DiskPlace disk_place(const DiskMech *m, uint64_t sector)
{
	const DiskZone *z = &m->zone[m->zones - 1];
	DiskPlace at;
	uint64_t track;

	while (z->sector > sector)
		z--;
	track = (sector - z->sector) / z->spt;
	at.spt = z->spt;
	at.sector = (sector - z->sector) % z->spt;
	at.cylinder = z->cylinder + track / m->heads;
	at.head = track % m->heads;
	return at;
}

/* ---- rotation ------------------------------------------------------------------------------------ */

/* How far a track's first sector is behind that of the first track: as far as all switches between take. */
static uint64_t skew(const DiskMech *m, const DiskPlace *at)
{
	uint64_t cylinder = (m->heads - 1) * m->head_switch_ns + m->cylinder_switch_ns;

	return (at->cylinder * (cylinder % m->rev_ns) + at->head * m->head_switch_ns) % m->rev_ns;
}

/* Time from the first sector's beginning to that of @sector of a track. */
static uint64_t into_track(const DiskMech *m, uint32_t spt, uint64_t sector)
{
	return m->rev_ns * sector / spt;
}

DiskAccess disk_access(const DiskMech *m, uint64_t now, const DiskPlace *from, uint64_t sector, bool write)
{
	DiskPlace to = disk_place(m, sector);
	uint32_t distance = to.cylinder > from->cylinder ? to.cylinder - from->cylinder : from->cylinder - to.cylinder;
	DiskAccess a = { .seek = distance != 0 };
	uint64_t want, is;

	if (a.seek)
		a.move_ns = disk_seek_ns(m, distance);
	if (to.head != from->head && a.move_ns < m->head_switch_ns)
		a.move_ns = m->head_switch_ns;
	if (write && distance > 1)	/* within a transfer the skews leave no time for it either */
		a.move_ns += m->write_settle_ns;
	want = (skew(m, &to) + into_track(m, to.spt, to.sector)) % m->rev_ns;
	is = (now + a.move_ns + m->phase_ns) % m->rev_ns;
	a.wait_ns = (want + m->rev_ns - is) % m->rev_ns;
	return a;
}

/* From a track to the one behind it. */
static uint64_t switch_ns(const DiskMech *m, const DiskPlace *at)
{
	return at->head + 1 < m->heads ? m->head_switch_ns : m->cylinder_switch_ns;
}

uint64_t disk_transfer_ns(const DiskMech *m, uint64_t sector, uint64_t n)
{
	uint64_t ns = 0;

	while (n) {
		DiskPlace at = disk_place(m, sector);
		uint64_t here = n < at.spt - at.sector ? n : at.spt - at.sector;

		ns += into_track(m, at.spt, at.sector + here) - into_track(m, at.spt, at.sector);
		n -= here;
		sector += here;
		if (n)
			ns += switch_ns(m, &at);
	}
	return ns;
}

uint64_t disk_passed(const DiskMech *m, uint64_t sector, uint64_t ns, uint64_t max)
{
	uint64_t done = 0;

	while (done < max) {
		DiskPlace at = disk_place(m, sector + done);
		uint64_t left = at.spt - at.sector, begin = into_track(m, at.spt, at.sector);
		uint64_t here;

		if (into_track(m, at.spt, at.spt) - begin <= ns) {
			here = left;
		} else {
			uint64_t near = (begin + ns) * at.spt / m->rev_ns;	/* give or take one */

			here = near > at.sector ? near - at.sector : 0;
			while (here < left && into_track(m, at.spt, at.sector + here + 1) - begin <= ns)
				here++;
			while (here && into_track(m, at.spt, at.sector + here) - begin > ns)
				here--;
		}
		done += here;
		if (here < left)
			break;
		ns -= into_track(m, at.spt, at.spt) - begin;
		if (ns < switch_ns(m, &at))
			break;
		ns -= switch_ns(m, &at);
	}
	return done < max ? done : max;
}
