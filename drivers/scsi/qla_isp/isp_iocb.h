/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Wire formats of the 16-bit chip families (ISP2100/2200, ISP23xx):
 * queue entries (IOCBs), initialization control block, port database,
 * loop id list, link statistics and NVRAM.
 *
 * Everything is little-endian unless a comment says otherwise. This header
 * needs no kernel header but the two below, so that tests can compile it.
 *
 * Sources of the layouts: linux drivers/scsi/qla2xxx/qla_def.h,
 * freebsd sys/dev/isp/ispmbox.h, openbsd sys/dev/ic/qlareg.h.
 */
#ifndef ISP_IOCB_H
#define ISP_IOCB_H

#include <linux/types.h>
#include <linux/build_bug.h>

/* ---- Queue entries ---------------------------------------------------- */

#define ISP_ENTRY_SIZE		64

enum isp_entry_type {
	ISP_ENTRY_STATUS	= 0x03,
	ISP_ENTRY_MARKER	= 0x04,
	ISP_ENTRY_CONT_A64	= 0x0a,
	ISP_ENTRY_STATUS_CONT	= 0x10,
	ISP_ENTRY_COMMAND_A64	= 0x19,		/* command type 3 */
	ISP_ENTRY_CT		= 0x29,		/* CT pass-through */
};

/* Entry status: why the firmware hands an entry back unserved. */
#define ISP_ES_BUSY		0x02		/* no room inside the firmware */
#define ISP_ES_TYPE		0x04
#define ISP_ES_PARAM		0x08
#define ISP_ES_COUNT		0x10
#define ISP_ES_ORDER		0x20
#define ISP_ES_DMA		0x40
#define ISP_ES_MASK		0x7e

/* First eight bytes of every entry that carries a handle. */
struct isp_entry_hdr {
	__u8	type;
	__u8	count;				/* entries, this one included */
	__u8	sys_define;
	__u8	status;
	__le32	handle;
} __packed;
static_assert(sizeof(struct isp_entry_hdr) == 8);

struct isp_dsd64 {
	__le64	addr;
	__le32	len;
} __packed;
static_assert(sizeof(struct isp_dsd64) == 12);

#define ISP_CMD3_DSDS		2
#define ISP_CONT_DSDS		5

/* Control flags of a command. */
#define ISP_CF_HEAD_TAG		0x0002
#define ISP_CF_ORDERED_TAG	0x0004
#define ISP_CF_SIMPLE_TAG	0x0008
#define ISP_CF_READ		0x0020
#define ISP_CF_WRITE		0x0040

/* Command type 3: 64-bit data segments. */
struct isp_cmd3 {
	struct isp_entry_hdr hdr;
	__le16	target;		/* loop id; << 8 before 2K-login firmware */
	__le16	lun;		/* first level of the LUN, as in FCP_LUN */
	__le16	control_flags;
	__le16	reserved;
	__le16	timeout;	/* s, 0: none */
	__le16	dseg_count;
	__u8	cdb[16];
	__le32	byte_count;
	struct isp_dsd64 dsd[ISP_CMD3_DSDS];
} __packed;
static_assert(sizeof(struct isp_cmd3) == ISP_ENTRY_SIZE);
static_assert(offsetof(struct isp_cmd3, target) == 8);
static_assert(offsetof(struct isp_cmd3, lun) == 10);
static_assert(offsetof(struct isp_cmd3, control_flags) == 12);
static_assert(offsetof(struct isp_cmd3, timeout) == 16);
static_assert(offsetof(struct isp_cmd3, dseg_count) == 18);
static_assert(offsetof(struct isp_cmd3, cdb) == 20);
static_assert(offsetof(struct isp_cmd3, byte_count) == 36);
static_assert(offsetof(struct isp_cmd3, dsd) == 40);

/* Continuation type 1: five more 64-bit data segments, no handle. */
struct isp_cont_a64 {
	__u8	type;
	__u8	count;
	__u8	sys_define;
	__u8	status;
	struct isp_dsd64 dsd[ISP_CONT_DSDS];
} __packed;
static_assert(sizeof(struct isp_cont_a64) == ISP_ENTRY_SIZE);
static_assert(offsetof(struct isp_cont_a64, dsd) == 4);

/* Marker modifiers. */
#define ISP_MK_LUN		0
#define ISP_MK_TARGET		1
#define ISP_MK_ALL		2

struct isp_marker {
	struct isp_entry_hdr hdr;
	__le16	target;
	__u8	modifier;
	__u8	reserved;
	__le16	sequence;
	__le16	lun;
	__u8	reserved2[48];
} __packed;
static_assert(sizeof(struct isp_marker) == ISP_ENTRY_SIZE);
static_assert(offsetof(struct isp_marker, modifier) == 10);
static_assert(offsetof(struct isp_marker, lun) == 14);

/* SCSI status word of a status entry: low byte as in SAM, and flags. */
#define ISP_SS_RSP_VALID	0x0100
#define ISP_SS_SENSE_VALID	0x0200
#define ISP_SS_RESID_OVER	0x0400
#define ISP_SS_RESID_UNDER	0x0800

#define ISP_STATUS_SENSE	32
#define ISP_STATUS_CONT_SENSE	60

struct isp_status_entry {
	struct isp_entry_hdr hdr;
	__le16	scsi_status;
	__le16	comp_status;
	__le16	state_flags;
	__le16	status_flags;
	__le16	rsp_info_len;
	__le16	sense_len;
	__le32	residual;
	__u8	rsp_info[8];
	__u8	sense[ISP_STATUS_SENSE];
} __packed;
static_assert(sizeof(struct isp_status_entry) == ISP_ENTRY_SIZE);
static_assert(offsetof(struct isp_status_entry, scsi_status) == 8);
static_assert(offsetof(struct isp_status_entry, comp_status) == 10);
static_assert(offsetof(struct isp_status_entry, rsp_info_len) == 16);
static_assert(offsetof(struct isp_status_entry, sense_len) == 18);
static_assert(offsetof(struct isp_status_entry, residual) == 20);
static_assert(offsetof(struct isp_status_entry, rsp_info) == 24);
static_assert(offsetof(struct isp_status_entry, sense) == 32);

struct isp_status_cont {
	__u8	type;
	__u8	count;
	__u8	sys_define;
	__u8	status;
	__u8	sense[ISP_STATUS_CONT_SENSE];
} __packed;
static_assert(sizeof(struct isp_status_cont) == ISP_ENTRY_SIZE);

/* CT pass-through: a request to a server of the fabric, and room for its answer. */
struct isp_ct_entry {
	struct isp_entry_hdr hdr;
	__le16	target;				/* as in a command */
	__le16	comp_status;
	__le16	control_flags;
	__le16	reserved;
	__le16	timeout;			/* s */
	__le16	req_dsegs;
	__le16	dsegs;				/* of request and answer */
	__u8	reserved2[10];
	__le32	rsp_bytes;
	__le32	req_bytes;
	struct isp_dsd64 req;
	struct isp_dsd64 rsp;
} __packed;
static_assert(sizeof(struct isp_ct_entry) == ISP_ENTRY_SIZE);
static_assert(offsetof(struct isp_ct_entry, comp_status) == 10);
static_assert(offsetof(struct isp_ct_entry, timeout) == 16);
static_assert(offsetof(struct isp_ct_entry, rsp_bytes) == 32);
static_assert(offsetof(struct isp_ct_entry, req) == 40);
static_assert(offsetof(struct isp_ct_entry, rsp) == 52);

/* Request to the name server for SEND SNS: numbers are little-endian there. */
#define ISP_SNS_ARG_MAX		36

struct isp_sns {
	__le16	rsp_words;
	__le16	reserved;
	__le64	rsp_addr;
	__le16	words;				/* from the command on */
	__le16	reserved2;
	__le16	command;
	__le16	size;				/* of the answer, 32-bit words */
	__le32	reserved3;
	__u8	arg[ISP_SNS_ARG_MAX];
} __packed;
static_assert(sizeof(struct isp_sns) == 60);
static_assert(offsetof(struct isp_sns, rsp_addr) == 4);
static_assert(offsetof(struct isp_sns, command) == 16);
static_assert(offsetof(struct isp_sns, arg) == 24);

/* ---- Initialization control block ------------------------------------- */

#define ISP_ICB_VERSION		1

/* Firmware options. */
#define ISP_FWO_HARD_ID		0x0001
#define ISP_FWO_FAIRNESS	0x0002
#define ISP_FWO_FULL_DUPLEX	0x0004
#define ISP_FWO_FAST_POST	0x0008
#define ISP_FWO_TARGET		0x0010
#define ISP_FWO_NO_INITIATOR	0x0020
#define ISP_FWO_ADISC		0x0040
#define ISP_FWO_PDB_NOTIFY	0x0100
#define ISP_FWO_STOP_ON_FULL	0x1000
#define ISP_FWO_FULL_LOGIN	0x2000
#define ISP_FWO_NODE_NAME	0x4000
#define ISP_FWO_EXT_ICB		0x8000

/* Additional firmware options. */
#define ISP_AFO_OPERATION	0x000f		/* RIO or ZIO mode */
#define ISP_AFO_CONNECTION	0x0070		/* enum isp_connection << 4 */
#define ISP_AFO_FC_TAPE		0x1000
#define ISP_AFO_FC_CONFIRM	0x2000

/* Special options. */
#define ISP_SPO_OUT_OF_ORDER	0x0040
#define ISP_SPO_NO_AUTO_PLOGI	0x0080
#define ISP_SPO_RATE		0xc000		/* enum isp_rate << 14 */

struct isp_icb {
	__u8	version;
	__u8	reserved;
	__le16	fw_options;
	__le16	frame_payload;
	__le16	max_iocb;
	__le16	exec_throttle;
	__u8	retry_count;
	__u8	retry_delay;
	__u8	port_name[8];			/* big-endian */
	__le16	hard_address;
	__u8	inquiry_data;
	__u8	login_timeout;			/* s */
	__u8	node_name[8];			/* big-endian */
	__le16	req_out;
	__le16	rsp_in;
	__le16	req_length;			/* entries */
	__le16	rsp_length;
	__le64	req_addr;
	__le64	rsp_addr;
	__le16	lun_enables;
	__u8	command_resources;
	__u8	notify_resources;
	__le16	timeout;
	__le16	reserved2;
	__le16	add_fw_options;
	__u8	accumulation_timer;
	__u8	delay_timer;
	__le16	special_options;
	__u8	reserved3[26];
} __packed;
static_assert(sizeof(struct isp_icb) == 96);
static_assert(offsetof(struct isp_icb, port_name) == 12);
static_assert(offsetof(struct isp_icb, hard_address) == 20);
static_assert(offsetof(struct isp_icb, node_name) == 24);
static_assert(offsetof(struct isp_icb, req_length) == 36);
static_assert(offsetof(struct isp_icb, req_addr) == 40);
static_assert(offsetof(struct isp_icb, rsp_addr) == 48);
static_assert(offsetof(struct isp_icb, add_fw_options) == 64);
static_assert(offsetof(struct isp_icb, special_options) == 68);

/* ---- Port database and loop id list ----------------------------------- */

#define ISP_PDB_LOGGED_IN	6		/* master or slave state */
#define ISP_PDB_CLASS2		0x10		/* in options */
#define ISP_PRLI3_TARGET	0x10		/* PRLI parameter word 3 */
#define ISP_PRLI3_INITIATOR	0x20

struct isp_pdb {
	__u8	options;
	__u8	control;
	__u8	master_state;
	__u8	slave_state;
	__u8	reserved[2];
	__u8	hard_address;
	__u8	reserved2;
	__u8	port_id[4];			/* domain, -, AL_PA, area */
	__u8	node_name[8];			/* big-endian */
	__u8	port_name[8];			/* big-endian */
	__u8	internal[48];
	__u8	prli_word0[2];
	__u8	prli_word3[2];			/* low byte first */
	__le16	loop_id;
	__u8	internal2[46];
} __packed;
static_assert(sizeof(struct isp_pdb) == 128);
static_assert(offsetof(struct isp_pdb, port_id) == 8);
static_assert(offsetof(struct isp_pdb, node_name) == 12);
static_assert(offsetof(struct isp_pdb, port_name) == 20);
static_assert(offsetof(struct isp_pdb, prli_word3) == 78);
static_assert(offsetof(struct isp_pdb, loop_id) == 80);

/* Loop id list entry of the ISP2100 and ISP2200. */
struct isp_id_2100 {
	__u8	al_pa;
	__u8	area;
	__u8	domain;
	__u8	loop_id;
} __packed;
static_assert(sizeof(struct isp_id_2100) == 4);

/* Loop id list entry of the ISP23xx. */
struct isp_id_2300 {
	__u8	al_pa;
	__u8	area;
	__u8	domain;
	__u8	reserved;
	__le16	loop_id;
} __packed;
static_assert(sizeof(struct isp_id_2300) == 6);

/* Link error status block (FC-FS) plus the LIP count. */
struct isp_link_stat {
	__le32	link_failure;
	__le32	loss_of_sync;
	__le32	loss_of_signal;
	__le32	prim_seq_error;
	__le32	invalid_word;
	__le32	invalid_crc;
	__le32	lip_count;
} __packed;
static_assert(sizeof(struct isp_link_stat) == 28);

/* ---- NVRAM ------------------------------------------------------------ */

#define ISP_NVRAM_SIZE		256

#define ISP_NV_HOST_ALT_WWN	0x8000		/* in host_options */

struct isp_nvram {
	__u8	id[4];				/* "ISP " */
	__u8	version;
	__u8	reserved;
	__u8	block_version;
	__u8	reserved2;
	__le16	fw_options;
	__le16	frame_payload;
	__le16	max_iocb;
	__le16	exec_throttle;
	__u8	retry_count;
	__u8	retry_delay;
	__u8	port_name[8];			/* big-endian */
	__le16	hard_address;
	__u8	inquiry_data;
	__u8	login_timeout;
	__u8	node_name[8];			/* big-endian */
	__le16	add_fw_options;
	__u8	accumulation_timer;
	__u8	delay_timer;
	__le16	special_options;
	__u8	reserved3[22];
	__u8	serial_link[4];
	__le16	host_options;
	__u8	boot_node_name[8];
	__u8	boot_lun;
	__u8	reset_delay;			/* s */
	__u8	port_down_retry;
	__u8	boot_id;
	__le16	max_luns;
	__u8	fcode_port_name[8];
	__u8	alt_port_name[8];
	__u8	alt_node_name[8];
	__u8	efi;
	__u8	link_down_timeout;		/* s */
	__u8	adapter_id[16];
	__u8	alt_boot[70];
	__u8	reserved4[2];
	__u8	model[16];
	__u8	oem[16];
	__le16	adapter_features;
	__u8	reserved5[16];
	__le16	subsystem_vendor;
	__le16	subsystem_device;
	__u8	reserved6;
	__u8	checksum;			/* all bytes sum to 0 mod 256 */
} __packed;
static_assert(sizeof(struct isp_nvram) == ISP_NVRAM_SIZE);
static_assert(offsetof(struct isp_nvram, fw_options) == 8);
static_assert(offsetof(struct isp_nvram, port_name) == 18);
static_assert(offsetof(struct isp_nvram, node_name) == 30);
static_assert(offsetof(struct isp_nvram, add_fw_options) == 38);
static_assert(offsetof(struct isp_nvram, special_options) == 42);
static_assert(offsetof(struct isp_nvram, serial_link) == 66);
static_assert(offsetof(struct isp_nvram, host_options) == 70);
static_assert(offsetof(struct isp_nvram, reset_delay) == 81);
static_assert(offsetof(struct isp_nvram, alt_port_name) == 94);
static_assert(offsetof(struct isp_nvram, adapter_id) == 112);
static_assert(offsetof(struct isp_nvram, model) == 200);
static_assert(offsetof(struct isp_nvram, adapter_features) == 232);

#endif /* ISP_IOCB_H */
