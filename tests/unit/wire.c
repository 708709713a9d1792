// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's wire formats against numbers that were taken from public sources by hand, not from the
 * driver: byte offset and size of each field, and whole entries written out as bytes.
 *
 * Sources: FreeBSD sys/dev/isp/ispmbox.h (ispreqt3e_t, ispcontreq64_t, isp_marker_t, ispstatusreq_t,
 * ispstatus_cont_t, isp_icb_t, isp_pdb_21xx_t, RQSTYPE_*, REQFLAG_*, RQCS_*, ICBOPT_*, isp_ms_t, sns_screq_t), FreeBSD
 * sys/dev/isp/ispreg.h (ISP2100_NVRAM_*), Linux qla_def.h for the rest of the NVRAM.
 */
#include "isp_iocb.h"
#include "unit.h"

#define FIELD(type, field, off, bytes)						\
	CHECK(offsetof(struct type, field) == (off) &&				\
	      sizeof(((struct type *)0)->field) == (bytes),			\
	      "struct " #type ", " #field ": offset %zu size %zu, not %u and %u",	\
	      offsetof(struct type, field), sizeof(((struct type *)0)->field), off, bytes)
#define SIZE(type, bytes) \
	CHECK(sizeof(struct type) == (bytes), "struct " #type " has %zu bytes", sizeof(struct type))
#define VALUE(name, value) \
	CHECK((name) == (value), #name " is %#x, not %#x", (unsigned int)(name), value)

/* Put a number into a little-endian field whatever the host's byte order. */
static void put(void *field, size_t bytes, uint64_t value)
{
	uint8_t *p = field;

	while (bytes--) {
		*p++ = value;
		value >>= 8;
	}
}

#define PUT(field, value) put(&(field), sizeof(field), value)

static void same_bytes(const char *what, const void *entry, const uint8_t *wanted, size_t bytes)
{
	const uint8_t *got = entry;
	size_t i;

	for (i = 0; i < bytes; i++)
		CHECK(got[i] == wanted[i], "%s, byte %zu is %02x, not %02x", what, i, got[i], wanted[i]);
}

static void request_entries(void)
{
	SIZE(isp_ct_entry, 64);
	FIELD(isp_ct_entry, target, 8, 2);
	FIELD(isp_ct_entry, comp_status, 10, 2);
	FIELD(isp_ct_entry, control_flags, 12, 2);
	FIELD(isp_ct_entry, timeout, 16, 2);
	FIELD(isp_ct_entry, req_dsegs, 18, 2);
	FIELD(isp_ct_entry, dsegs, 20, 2);
	FIELD(isp_ct_entry, rsp_bytes, 32, 4);
	FIELD(isp_ct_entry, req_bytes, 36, 4);
	FIELD(isp_ct_entry, req, 40, 12);
	FIELD(isp_ct_entry, rsp, 52, 12);
	VALUE(ISP_ENTRY_CT, 0x29);
	SIZE(isp_sns, 60);
	FIELD(isp_sns, rsp_words, 0, 2);
	FIELD(isp_sns, rsp_addr, 4, 8);
	FIELD(isp_sns, words, 12, 2);
	FIELD(isp_sns, command, 16, 2);
	FIELD(isp_sns, size, 18, 2);
	FIELD(isp_sns, arg, 24, 36);
	SIZE(isp_cmd3, 64);
	FIELD(isp_cmd3, hdr, 0, 8);
	FIELD(isp_cmd3, target, 8, 2);
	FIELD(isp_cmd3, lun, 10, 2);
	FIELD(isp_cmd3, control_flags, 12, 2);
	FIELD(isp_cmd3, timeout, 16, 2);
	FIELD(isp_cmd3, dseg_count, 18, 2);
	FIELD(isp_cmd3, cdb, 20, 16);
	FIELD(isp_cmd3, byte_count, 36, 4);
	FIELD(isp_cmd3, dsd, 40, 24);
	SIZE(isp_dsd64, 12);
	FIELD(isp_dsd64, addr, 0, 8);
	FIELD(isp_dsd64, len, 8, 4);
	SIZE(isp_cont_a64, 64);
	FIELD(isp_cont_a64, dsd, 4, 60);
	SIZE(isp_marker, 64);
	FIELD(isp_marker, target, 8, 2);
	FIELD(isp_marker, modifier, 10, 1);
	FIELD(isp_marker, lun, 14, 2);
	VALUE(ISP_ENTRY_SIZE, 64);
	VALUE(ISP_ENTRY_COMMAND_A64, 0x19);
	VALUE(ISP_ENTRY_CONT_A64, 0x0a);
	VALUE(ISP_ENTRY_MARKER, 0x04);
	VALUE(ISP_MK_LUN, 0);
	VALUE(ISP_MK_TARGET, 1);
	VALUE(ISP_MK_ALL, 2);
	VALUE(ISP_CF_HEAD_TAG, 0x0002);
	VALUE(ISP_CF_ORDERED_TAG, 0x0004);
	VALUE(ISP_CF_SIMPLE_TAG, 0x0008);
	VALUE(ISP_CF_READ, 0x0020);
	VALUE(ISP_CF_WRITE, 0x0040);
}

static void response_entries(void)
{
	SIZE(isp_status_entry, 64);
	FIELD(isp_status_entry, scsi_status, 8, 2);
	FIELD(isp_status_entry, comp_status, 10, 2);
	FIELD(isp_status_entry, state_flags, 12, 2);
	FIELD(isp_status_entry, status_flags, 14, 2);
	FIELD(isp_status_entry, rsp_info_len, 16, 2);
	FIELD(isp_status_entry, sense_len, 18, 2);
	FIELD(isp_status_entry, residual, 20, 4);
	FIELD(isp_status_entry, rsp_info, 24, 8);
	FIELD(isp_status_entry, sense, 32, 32);
	SIZE(isp_status_cont, 64);
	FIELD(isp_status_cont, sense, 4, 60);
	VALUE(ISP_ENTRY_STATUS, 0x03);
	VALUE(ISP_ENTRY_STATUS_CONT, 0x10);
	VALUE(ISP_SS_RSP_VALID, 0x0100);
	VALUE(ISP_SS_SENSE_VALID, 0x0200);
	VALUE(ISP_SS_RESID_OVER, 0x0400);
	VALUE(ISP_SS_RESID_UNDER, 0x0800);
}

static void control_blocks(void)
{
	SIZE(isp_icb, 96);
	FIELD(isp_icb, version, 0, 1);
	FIELD(isp_icb, fw_options, 2, 2);
	FIELD(isp_icb, frame_payload, 4, 2);
	FIELD(isp_icb, max_iocb, 6, 2);
	FIELD(isp_icb, exec_throttle, 8, 2);
	FIELD(isp_icb, retry_count, 10, 1);
	FIELD(isp_icb, retry_delay, 11, 1);
	FIELD(isp_icb, port_name, 12, 8);
	FIELD(isp_icb, hard_address, 20, 2);
	FIELD(isp_icb, login_timeout, 23, 1);
	FIELD(isp_icb, node_name, 24, 8);
	FIELD(isp_icb, req_out, 32, 2);
	FIELD(isp_icb, rsp_in, 34, 2);
	FIELD(isp_icb, req_length, 36, 2);
	FIELD(isp_icb, rsp_length, 38, 2);
	FIELD(isp_icb, req_addr, 40, 8);
	FIELD(isp_icb, rsp_addr, 48, 8);
	FIELD(isp_icb, lun_enables, 56, 2);
	FIELD(isp_icb, add_fw_options, 64, 2);
	FIELD(isp_icb, accumulation_timer, 66, 1);
	FIELD(isp_icb, delay_timer, 67, 1);
	FIELD(isp_icb, special_options, 68, 2);
	VALUE(ISP_ICB_VERSION, 1);
	VALUE(ISP_FWO_HARD_ID, 0x0001);
	VALUE(ISP_FWO_FAIRNESS, 0x0002);
	VALUE(ISP_FWO_FULL_DUPLEX, 0x0004);
	VALUE(ISP_FWO_FAST_POST, 0x0008);
	VALUE(ISP_FWO_TARGET, 0x0010);
	VALUE(ISP_FWO_NO_INITIATOR, 0x0020);
	VALUE(ISP_FWO_ADISC, 0x0040);
	VALUE(ISP_FWO_PDB_NOTIFY, 0x0100);
	VALUE(ISP_FWO_STOP_ON_FULL, 0x1000);
	VALUE(ISP_FWO_FULL_LOGIN, 0x2000);
	VALUE(ISP_FWO_NODE_NAME, 0x4000);
	VALUE(ISP_FWO_EXT_ICB, 0x8000);

	SIZE(isp_pdb, 128);
	FIELD(isp_pdb, master_state, 2, 1);
	FIELD(isp_pdb, slave_state, 3, 1);
	FIELD(isp_pdb, hard_address, 6, 1);
	FIELD(isp_pdb, port_id, 8, 4);
	FIELD(isp_pdb, node_name, 12, 8);
	FIELD(isp_pdb, port_name, 20, 8);
	FIELD(isp_pdb, prli_word0, 76, 2);
	FIELD(isp_pdb, prli_word3, 78, 2);
	FIELD(isp_pdb, loop_id, 80, 2);
	VALUE(ISP_PDB_LOGGED_IN, 6);
	VALUE(ISP_PRLI3_TARGET, 0x10);
	VALUE(ISP_PRLI3_INITIATOR, 0x20);
	SIZE(isp_id_2100, 4);
	SIZE(isp_id_2300, 6);
	FIELD(isp_id_2300, loop_id, 4, 2);
	SIZE(isp_link_stat, 28);
}

static void nvram(void)
{
	SIZE(isp_nvram, 256);
	FIELD(isp_nvram, id, 0, 4);
	FIELD(isp_nvram, version, 4, 1);
	FIELD(isp_nvram, fw_options, 8, 2);
	FIELD(isp_nvram, frame_payload, 10, 2);
	FIELD(isp_nvram, max_iocb, 12, 2);
	FIELD(isp_nvram, exec_throttle, 14, 2);
	FIELD(isp_nvram, retry_count, 16, 1);
	FIELD(isp_nvram, retry_delay, 17, 1);
	FIELD(isp_nvram, port_name, 18, 8);
	FIELD(isp_nvram, hard_address, 26, 2);
	FIELD(isp_nvram, login_timeout, 29, 1);
	FIELD(isp_nvram, node_name, 30, 8);
	FIELD(isp_nvram, add_fw_options, 38, 2);
	FIELD(isp_nvram, accumulation_timer, 40, 1);
	FIELD(isp_nvram, delay_timer, 41, 1);
	FIELD(isp_nvram, special_options, 42, 2);
	FIELD(isp_nvram, serial_link, 66, 4);
	FIELD(isp_nvram, host_options, 70, 2);
	FIELD(isp_nvram, boot_node_name, 72, 8);
	FIELD(isp_nvram, reset_delay, 81, 1);
	FIELD(isp_nvram, port_down_retry, 82, 1);
	FIELD(isp_nvram, max_luns, 84, 2);
	FIELD(isp_nvram, alt_port_name, 94, 8);
	FIELD(isp_nvram, alt_node_name, 102, 8);
	FIELD(isp_nvram, link_down_timeout, 111, 1);
	FIELD(isp_nvram, model, 200, 16);
	FIELD(isp_nvram, checksum, 255, 1);
}

/* READ(10) of 8 blocks at 12345678h from loop id 81h, LUN 3, two segments, one continuation. */
static void command_as_bytes(void)
{
	static const uint8_t command[64] = {
		0x19, 0x02, 0x00, 0x00, 0xef, 0xbe, 0xad, 0xde, 0x81, 0x00, 0x03, 0x00, 0x28, 0x00, 0x00, 0x00,
		0x1e, 0x00, 0x03, 0x00, 0x28, 0x00, 0x12, 0x34, 0x56, 0x78, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x30, 0x42, 0x91, 0x01, 0x00, 0x00, 0x00,
		0x00, 0x08, 0x00, 0x00, 0x00, 0x50, 0x42, 0x91, 0x01, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00,
	};
	static const uint8_t continuation[64] = {
		0x0a, 0x01, 0x00, 0x00, 0x00, 0x70, 0x42, 0x91, 0x01, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00,
	};
	static const uint8_t cdb[10] = { 0x28, 0, 0x12, 0x34, 0x56, 0x78, 0, 0, 8, 0 };
	struct isp_cmd3 cmd = { .hdr = { .type = ISP_ENTRY_COMMAND_A64, .count = 2 } };
	struct isp_cont_a64 cont = { .type = ISP_ENTRY_CONT_A64, .count = 1 };

	PUT(cmd.hdr.handle, 0xdeadbeef);
	PUT(cmd.target, 0x81);
	PUT(cmd.lun, 3);
	PUT(cmd.control_flags, ISP_CF_READ | ISP_CF_SIMPLE_TAG);
	PUT(cmd.timeout, 30);
	PUT(cmd.dseg_count, 3);
	memcpy(cmd.cdb, cdb, sizeof(cdb));
	PUT(cmd.byte_count, 4096);
	PUT(cmd.dsd[0].addr, 0x191423000ull);
	PUT(cmd.dsd[0].len, 2048);
	PUT(cmd.dsd[1].addr, 0x191425000ull);
	PUT(cmd.dsd[1].len, 1024);
	PUT(cont.dsd[0].addr, 0x191427000ull);
	PUT(cont.dsd[0].len, 1024);
	same_bytes("command type 3", &cmd, command, sizeof(command));
	same_bytes("continuation type 1", &cont, continuation, sizeof(continuation));
}

/* CHECK CONDITION with 18 bytes of sense data, 4060 bytes short, for handle 00050017h. */
static void status_as_bytes(void)
{
	static const uint8_t bytes[64] = {
		0x03, 0x01, 0x00, 0x00, 0x17, 0x00, 0x05, 0x00, 0x02, 0x0a, 0x15, 0x00, 0x00, 0x7c, 0x00, 0x00,
		0x00, 0x00, 0x12, 0x00, 0xdc, 0x0f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
		0x70, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00,
	};
	struct isp_status_entry st = { .hdr = { .type = ISP_ENTRY_STATUS, .count = 1 } };

	PUT(st.hdr.handle, 0x00050017);
	PUT(st.scsi_status, 0x02 | ISP_SS_SENSE_VALID | ISP_SS_RESID_UNDER);
	PUT(st.comp_status, 0x0015);
	PUT(st.state_flags, 0x7c00);
	PUT(st.sense_len, 18);
	PUT(st.residual, 4060);
	st.sense[0] = 0x70;
	st.sense[2] = 0x03;
	st.sense[7] = 0x0a;
	st.sense[12] = 0x11;
	same_bytes("status", &st, bytes, sizeof(bytes));
}

int main(void)
{
	request_entries();
	response_entries();
	control_blocks();
	nvram();
	command_as_bytes();
	status_as_bytes();
	return unit_result();
}
