// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mailbox commands: the engine and the table of all that the firmware knows.
 *
 * Numbers: MBC_* in Linux qla_def.h, MBOX_* in FreeBSD ispmbox.h, QLA_MBOX_* in OpenBSD qlareg.h.
 * Which mailboxes a command takes and gives: qla_mbx.c, and mbpfc[] in FreeBSD isp.c.
 * See Documentation/hardware/mailbox.md.
 */
#include "fc.h"

enum {
	ROM = 1,			/* the boot ROM knows it, too */
	EARLY = 2,			/* before INITIALIZE FIRMWARE */
	ONLY_23XX = 4,
};

typedef struct Mbc {
	uint16_t code;
	uint8_t where;
	const char *name;
	IspMboxFn *fn;
} Mbc;

static const Mbc table[] = {
	{ 0x00, ROM | EARLY, "NOP", isp_mbc_nop },
	{ 0x01, ROM | EARLY, "LOAD_RAM", isp_mbc_load_ram },
	{ 0x02, ROM | EARLY, "EXECUTE_FIRMWARE", isp_mbc_execute },
	{ 0x03, ROM | EARLY, "DUMP_RAM", isp_mbc_dump_ram },
	{ 0x04, ROM | EARLY, "WRITE_RAM_WORD", isp_mbc_write_word },
	{ 0x05, ROM | EARLY, "READ_RAM_WORD", isp_mbc_read_word },
	{ 0x06, ROM | EARLY, "MAILBOX_REGISTER_TEST", isp_mbc_register_test },
	{ 0x07, ROM | EARLY, "VERIFY_CHECKSUM", isp_mbc_checksum },
	{ 0x08, EARLY, "ABOUT_FIRMWARE", isp_mbc_about },
	{ 0x09, ROM | EARLY, "LOAD_RAM_A64", isp_mbc_load_ram },
	{ 0x0a, ROM | EARLY, "DUMP_RAM_A64", isp_mbc_dump_ram },
	{ 0x0b, ROM | EARLY | ONLY_23XX, "LOAD_RAM_EXTENDED", isp_mbc_load_ram },
	{ 0x0c, ROM | EARLY | ONLY_23XX, "DUMP_RAM_EXTENDED", isp_mbc_dump_ram },
	{ 0x0d, ROM | EARLY | ONLY_23XX, "WRITE_RAM_WORD_EXTENDED", isp_mbc_write_word_ext },
	{ 0x0e, ROM | EARLY, "CHECK_FIRMWARE", isp_mbc_checksum },
	{ 0x0f, ROM | EARLY | ONLY_23XX, "READ_RAM_WORD_EXTENDED", isp_mbc_read_word_ext },
	{ 0x12, 0, "EXECUTE_IOCB", isp_mbc_exec_iocb },
	{ 0x14, EARLY, "STOP_FIRMWARE", isp_mbc_stop },
	{ 0x15, 0, "ABORT_IOCB", isp_mbc_abort_iocb },
	{ 0x16, 0, "ABORT_DEVICE", isp_mbc_abort_device },
	{ 0x17, 0, "ABORT_TARGET", isp_mbc_abort_target },
	{ 0x18, 0, "BUS_RESET", isp_mbc_bus_reset },
	{ 0x19, 0, "STOP_QUEUE", isp_mbc_stop_queue },
	{ 0x1a, 0, "START_QUEUE", isp_mbc_start_queue },
	{ 0x1c, 0, "ABORT_QUEUE", isp_mbc_abort_queue },
	{ 0x1d, 0, "GET_QUEUE_STATUS", isp_mbc_queue_status },
	{ 0x1f, EARLY, "GET_FIRMWARE_STATUS", isp_mbc_fw_status },
	{ 0x20, 0, "GET_LOOP_ID", isp_mbc_get_id },
	{ 0x22, EARLY, "GET_RETRY_COUNT", isp_mbc_get_retry },
	{ 0x28, EARLY, "GET_FIRMWARE_OPTIONS", isp_mbc_get_options },
	{ 0x32, EARLY, "SET_RETRY_COUNT", isp_mbc_set_retry },
	{ 0x38, EARLY, "SET_FIRMWARE_OPTIONS", isp_mbc_set_options },
	{ 0x40, 0, "LOOP_PORT_BYPASS", isp_mbc_bypass },
	{ 0x41, 0, "LOOP_PORT_ENABLE", isp_mbc_enable_port },
	{ 0x42, EARLY, "GET_RESOURCE_COUNTS", isp_mbc_resources },
	{ 0x43, 0, "NON_PARTICIPATING_MODE", isp_mbc_offline },
	{ 0x44, 0, "DIAGNOSTIC_ECHO", isp_mbc_echo },
	{ 0x45, EARLY, "DIAGNOSTIC_LOOPBACK", isp_mbc_loopback },
	{ 0x46, EARLY, "ONLINE_SELF_TEST", isp_mbc_self_test },
	{ 0x47, 0, "ENHANCED_GET_PORT_DATABASE", isp_mbc_port_db_login },
	{ 0x52, 0, "RESET_LINK_STATUS", isp_mbc_reset_link_status },
	{ 0x54, 0, "EXECUTE_IOCB_A64", isp_mbc_exec_iocb },
	{ 0x56, ONLY_23XX, "PORT_LOGOUT", isp_mbc_port_logout },
	{ 0x57, 0, "SEND_RNID", isp_mbc_send_rnid },
	{ 0x59, EARLY, "SET_RNID_PARAMETERS", isp_mbc_set_rnid },
	{ 0x5a, EARLY, "GET_RNID_PARAMETERS", isp_mbc_get_rnid },
	{ 0x5b, EARLY, "DRIVER_HEARTBEAT", isp_mbc_heartbeat },
	{ 0x5c, EARLY, "FIRMWARE_HEARTBEAT", isp_mbc_heartbeat },
	{ 0x5d, EARLY | ONLY_23XX, "DATA_RATE", isp_mbc_data_rate },
	{ 0x60, EARLY, "INITIALIZE_FIRMWARE", isp_mbc_init_firmware },
	{ 0x61, 0, "GET_INITIALIZATION_CONTROL_BLOCK", isp_mbc_get_icb },
	{ 0x62, 0, "INITIATE_LIP", isp_mbc_lip },
	{ 0x63, 0, "GET_FC_AL_POSITION_MAP", isp_mbc_position_map },
	{ 0x64, 0, "GET_PORT_DATABASE", isp_mbc_port_db },
	{ 0x65, 0, "CLEAR_ACA", isp_mbc_clear_aca },
	{ 0x66, 0, "TARGET_RESET", isp_mbc_target_reset },
	{ 0x67, 0, "CLEAR_TASK_SET", isp_mbc_clear_task_set },
	{ 0x68, 0, "ABORT_TASK_SET", isp_mbc_abort_task_set },
	{ 0x69, EARLY, "GET_FIRMWARE_STATE", isp_mbc_fw_state },
	{ 0x6a, 0, "GET_PORT_NAME", isp_mbc_port_name },
	{ 0x6b, 0, "GET_LINK_STATUS", isp_mbc_link_status },
	{ 0x6c, 0, "LIP_RESET", isp_mbc_lip_reset },
	{ 0x6e, 0, "SEND_SNS", isp_mbc_send_sns },
	{ 0x6f, 0, "LOGIN_FABRIC_PORT", isp_mbc_fabric_login },
	{ 0x70, 0, "SEND_CHANGE_REQUEST", isp_mbc_change_request },
	{ 0x71, 0, "LOGOUT_FABRIC_PORT", isp_mbc_fabric_logout },
	{ 0x72, 0, "LIP_FULL_LOGIN", isp_mbc_lip_login },
	{ 0x74, 0, "LOGIN_LOOP_PORT", isp_mbc_loop_login },
	{ 0x75, 0, "PORT_NODE_NAME_LIST", isp_mbc_name_list },
	{ 0x77, 0, "INITIALIZE_RECEIVE_QUEUE", isp_mbc_ip_unsupported },
	{ 0x79, 0, "UNLOAD_IP", isp_mbc_ip_unsupported },
	{ 0x7c, 0, "GET_ID_LIST", isp_mbc_id_list },
	{ 0x7d, 0, "SEND_LFA", isp_mbc_send_lfa },
	{ 0x7e, 0, "LUN_RESET", isp_mbc_lun_reset },
};

static const Mbc *find(uint16_t code)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].code == code)
			return &table[i];
	return NULL;
}

const char *isp_mbox_name(uint16_t code)
{
	const Mbc *c = find(code);

	return c ? c->name : "UNKNOWN";
}

/* ---- what handlers use ----------------------------------------------------------------------- */

uint16_t isp_mbox_loop_id(const IspFirmware *fw, const IspMbox *m)
{
	return fw->extended_ids ? m->in[1] : m->in[1] >> 8;
}

uint16_t isp_mbox_options(const IspFirmware *fw, const IspMbox *m)
{
	return fw->extended_ids ? m->in[10] : m->in[1] & 0xff;
}

uint64_t isp_mbox_addr32(const IspMbox *m)
{
	return (uint32_t)m->in[2] << 16 | m->in[3];
}

uint64_t isp_mbox_addr64(const IspMbox *m)
{
	return (uint64_t)m->in[6] << 48 | (uint64_t)m->in[7] << 32 | isp_mbox_addr32(m);
}

void isp_mbox_set(IspMbox *m, unsigned int n, uint16_t value)
{
	m->out[n] = value;
	m->mask |= 1U << n;
}

/* ---- engine ---------------------------------------------------------------------------------- */

static bool knows(const IspFirmware *fw, const Mbc *c)
{
	if (!c || ((c->where & ONLY_23XX) && !isp_is_23xx(fw)))
		return false;
	return fw->executing || (c->where & ROM);
}

uint16_t isp_mbox_execute(IspFirmware *fw, IspMbox *m)
{
	const Mbc *c = find(m->in[0]);
	uint16_t bad;

	m->mask = 0;
	m->late_ns = 0;
	memset(m->out, 0, sizeof(m->out));
	isp_count_mbox(fw->isp, m->in[0], isp_mbox_name(m->in[0]));
	if (!knows(fw, c))
		return ISP_MB_INVALID;
	if (fw->executing && !fw->initialized && !(c->where & EARLY))
		return ISP_MB_ERROR;
	bad = isp_fault_mbox_error(fw, m->in[0]);
	if (!bad)
		return c->fn(fw, m);
	isp_mbox_set(m, 1, ISP_WHY_TRANSMIT);
	return bad;
}

static void trace_done(IspFirmware *fw, const IspMbox *m)
{
	GString *text;

	if (!isp_trace_on(fw->isp))
		return;
	text = g_string_new("");
	for (unsigned int i = 1; i < ISP_MBOXES; i++)
		if (m->mask & 1U << i)
			g_string_append_printf(text, " mb%u=%04x", i, m->out[i]);
	isp_trace(fw->isp, "mailbox %02x %s done %04x%s", m->in[0], isp_mbox_name(m->in[0]), m->out[0],
		  text->str);
	g_string_free(text, true);
}

/* Mailboxes 4 and 5 of the 2200 show queue indices once there are queues. */
static uint32_t loadable(const IspFirmware *fw, uint32_t mask)
{
	mask |= 1;
	if (!isp_is_23xx(fw) && fw->initialized)
		mask &= ~0x30U;
	return mask & ((1ULL << fw->isp->chip->mailboxes) - 1);
}

static void complete(IspFirmware *fw, IspMbox *m)
{
	bool ok = m->out[0] == ISP_MB_COMPLETE;
	IspEvent ev;

	memset(&ev, 0, sizeof(ev));
	ev.status = fw->mbox_by_rom ? (ok ? ISP_HS_ROM_OK : ISP_HS_ROM_ERR) :
			      (ok ? ISP_HS_MBOX_OK : ISP_HS_MBOX_ERR);
	if (isp_fault_mbox_noise(fw, m))
		m->mask = UINT32_MAX;
	trace_done(fw, m);
	ev.mask = loadable(fw, m->mask);
	memcpy(ev.mb, m->out, sizeof(ev.mb));
	isp_host_event(fw->isp, &ev);
}

static void mbox_timer(void *opaque)
{
	IspFirmware *fw = opaque;
	IspMbox *m = &fw->mbox;

	if (isp_risc_held(fw->isp) || fw->crashed)
		return;
	if (!fw->mbox_done) {
		fw->mbox_by_rom = !fw->executing;
		m->out[0] = isp_mbox_execute(fw, m);
		m->late_ns += isp_fault_mbox_late_ns(fw);
	}
	if (!fw->mbox_done && m->late_ns) {
		fw->mbox_done = true;
		timer_mod(fw->mbox_timer, isp_now() + m->late_ns);
		return;
	}
	fw->mbox_busy = fw->mbox_done = false;
	if (!m->out[0] || isp_fault_mbox_silent(fw, m->in[0])) {
		isp_trace(fw->isp, "mailbox %02x %s is not answered", m->in[0], isp_mbox_name(m->in[0]));
		return;
	}
	complete(fw, m);
}

void isp_fw_mailbox(IspState *s)
{
	IspFirmware *fw = s->fw;

	memset(&fw->mbox, 0, sizeof(fw->mbox));
	for (unsigned int i = 0; i < s->chip->mailboxes; i++)
		fw->mbox.in[i] = isp_mbox_in(s, i);
	fw->mbox_busy = true;
	fw->mbox_done = false;
	timer_mod(fw->mbox_timer, isp_now() + s->mbox_delay_ns);
}

void isp_mbox_init(IspFirmware *fw)
{
	fw->mbox_timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, mbox_timer, fw);
}
