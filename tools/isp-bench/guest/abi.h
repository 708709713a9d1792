/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's interface for asynchronous I/O, as far as isp-io uses it: the headers that have it are newer than some
 * of the libcs that isp-io is built with. Layouts: io_submit(2), io_uring(7), io_uring_setup(2), io_uring_enter(2),
 * io_uring_register(2).
 */
#ifndef ABI_H
#define ABI_H

#include <stdint.h>
#include <sys/syscall.h>

#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup	425
#define SYS_io_uring_enter	426
#define SYS_io_uring_register	427
#endif

#define AIO_PREAD	0
#define AIO_PWRITE	1

struct abi_iocb {
	uint64_t data;
	uint32_t key;		/* the other way round with rw_flags where the high byte is first */
	uint32_t rw_flags;
	uint16_t opcode;
	int16_t reqprio;
	uint32_t fd;
	uint64_t buffer;
	uint64_t bytes;
	int64_t offset;
	uint64_t reserved;
	uint32_t flags;
	uint32_t resfd;
};

struct abi_io_event {
	uint64_t data;
	uint64_t iocb;
	int64_t result;
	int64_t result2;
};

#define URING_SETUP_IOPOLL	(1u << 0)
#define URING_ENTER_GETEVENTS	(1u << 0)
#define URING_ENTER_REGISTERED	(1u << 4)
#define URING_REGISTER_FILES	2
#define URING_REGISTER_RING	20
#define URING_FIXED_FILE	(1u << 0)
#define URING_READ		22
#define URING_WRITE		23
#define URING_MAX_ENTRIES	32768
#define URING_MAP_SQ		0
#define URING_MAP_CQ		0x8000000
#define URING_MAP_SQES		0x10000000

struct abi_sq_offsets {
	uint32_t head, tail, ring_mask, ring_entries, flags, dropped, array, reserved;
	uint64_t user_addr;
};

struct abi_cq_offsets {
	uint32_t head, tail, ring_mask, ring_entries, overflow, cqes, flags, reserved;
	uint64_t user_addr;
};

struct abi_uring_params {
	uint32_t sq_entries, cq_entries, flags, sq_thread_cpu, sq_thread_idle, features, wq_fd;
	uint32_t reserved[3];
	struct abi_sq_offsets sq;
	struct abi_cq_offsets cq;
};

struct abi_sqe {
	uint8_t opcode;
	uint8_t flags;
	uint16_t ioprio;
	int32_t fd;
	uint64_t offset;
	uint64_t buffer;
	uint32_t bytes;
	uint32_t rw_flags;
	uint64_t data;
	uint64_t reserved[3];
};

struct abi_cqe {
	uint64_t data;
	int32_t result;
	uint32_t flags;
};

struct abi_rsrc_update {
	uint32_t offset;
	uint32_t reserved;
	uint64_t data;
};

_Static_assert(sizeof(struct abi_iocb) == 64, "struct iocb");
_Static_assert(sizeof(struct abi_io_event) == 32, "struct io_event");
_Static_assert(sizeof(struct abi_uring_params) == 120, "struct io_uring_params");
_Static_assert(sizeof(struct abi_sqe) == 64, "struct io_uring_sqe");
_Static_assert(sizeof(struct abi_cqe) == 16, "struct io_uring_cqe");

#endif
