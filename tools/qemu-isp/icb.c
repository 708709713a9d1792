// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Initialization control block: decode and check.
 *
 * Layout: init_cb_t in Linux qla_def.h, isp_icb_t in FreeBSD ispmbox.h, struct qla_init_cb in OpenBSD
 * qlareg.h; all three agree.  Limits: ICB_MIN_FRMLEN, ICB_MAX_FRMLEN in ispmbox.h.  The ISP2100 has no
 * extended options (FreeBSD isp_fibre_init() sets ICBOPT_EXTENDED for the later chips only).
 */
#include "firmware.h"

/* Byte offsets. */
enum {
	ICB_VERSION = 0,
	ICB_OPTIONS = 2,
	ICB_FRAME_SIZE = 4,
	ICB_ALLOCATION = 6,
	ICB_THROTTLE = 8,
	ICB_RETRY_COUNT = 10,
	ICB_RETRY_DELAY = 11,
	ICB_PORT_NAME = 12,
	ICB_HARD_ADDRESS = 20,
	ICB_LOGIN_TIMEOUT = 23,
	ICB_NODE_NAME = 24,
	ICB_REQ_OUT = 32,
	ICB_RSP_IN = 34,
	ICB_REQ_LEN = 36,
	ICB_RSP_LEN = 38,
	ICB_REQ_ADDR = 40,
	ICB_RSP_ADDR = 48,
	ICB_RESERVED_2 = 62,
	ICB_ADD_OPTIONS = 64,
	ICB_ACCUMULATE = 66,
	ICB_DELAY = 67,
	ICB_SPECIAL = 68,
	ICB_RESERVED_3 = 70,
	ICB_SIZE = 96,
};

static void decode(const uint8_t *raw, bool extended, IspIcb *icb)
{
	memcpy(icb->raw, raw, sizeof(icb->raw));
	icb->options = lduw_le_p(raw + ICB_OPTIONS);
	icb->frame_size = lduw_le_p(raw + ICB_FRAME_SIZE);
	icb->throttle = lduw_le_p(raw + ICB_THROTTLE);
	icb->retry_count = raw[ICB_RETRY_COUNT];
	icb->retry_delay = raw[ICB_RETRY_DELAY];
	icb->wwpn = ldq_be_p(raw + ICB_PORT_NAME);
	icb->wwnn = ldq_be_p(raw + ICB_NODE_NAME);
	icb->hard_address = lduw_le_p(raw + ICB_HARD_ADDRESS);
	icb->login_timeout = raw[ICB_LOGIN_TIMEOUT];
	icb->req_out = lduw_le_p(raw + ICB_REQ_OUT);
	icb->rsp_in = lduw_le_p(raw + ICB_RSP_IN);
	icb->req_len = lduw_le_p(raw + ICB_REQ_LEN);
	icb->rsp_len = lduw_le_p(raw + ICB_RSP_LEN);
	icb->req_addr = ldq_le_p(raw + ICB_REQ_ADDR);
	icb->rsp_addr = ldq_le_p(raw + ICB_RSP_ADDR);
	/* The second half counts only if the host says that it wrote one, and the chip knows it. */
	if ((icb->options & ISP_ICB_EXTENDED) && extended) {
		icb->add_options = lduw_le_p(raw + ICB_ADD_OPTIONS);
		icb->accumulate = raw[ICB_ACCUMULATE];
		icb->delay = raw[ICB_DELAY];
		icb->special_options = lduw_le_p(raw + ICB_SPECIAL);
	}
	icb->posting = icb->add_options & 0xf;
	/* Without a node name of its own a port is its own node, NAA reduced to 2 (word of Linux
	 * qla2x00_nvram_config()). */
	if (!(icb->options & ISP_ICB_BOTH_NAMES))
		icb->wwnn = icb->wwpn & 0xf0ffffffffffffffULL;
}

/* Posting modes: RIO belongs to the 2200, ZIO to the 23xx (FreeBSD ispmbox.h). */
static void check_posting(IspFirmware *fw, IspIcb *icb)
{
	bool zio = icb->posting >= ISP_POST_ZIO_5;
	bool known = icb->posting <= ISP_POST_ZIO_6;

	if (icb->posting == ISP_POST_EACH || (known && zio == isp_is_23xx(fw)))
		return;
	isp_violation(fw->isp, ISP_V_RESERVED_BITS, "ICB: operation mode %u is not for this chip",
		      icb->posting);
	icb->posting = ISP_POST_EACH;
}

static void check_reserved(IspFirmware *fw, const uint8_t *raw)
{
	bool bad = raw[1] || lduw_le_p(raw + ICB_RESERVED_2);

	for (unsigned int i = ICB_RESERVED_3; i < ICB_SIZE; i++)
		bad |= raw[i] != 0;
	if (bad)
		isp_violation(fw->isp, ISP_V_RESERVED_BITS, "ICB: reserved bytes are not zero");
	if (fw->isp->chip->loop_only && (lduw_le_p(raw + ICB_OPTIONS) & ISP_ICB_EXTENDED))
		isp_violation(fw->isp, ISP_V_RESERVED_BITS, "ICB: this chip has no extended options");
}

/* Offset of the first field that the firmware cannot work with; 0: none. */
static uint16_t bad_field(const IspIcb *icb)
{
	if (icb->raw[ICB_VERSION] != 1)
		return ICB_VERSION + 1;
	if (icb->frame_size < 256 || icb->frame_size > 2112 || icb->frame_size % 4)
		return ICB_FRAME_SIZE;
	if (!icb->throttle)
		return ICB_THROTTLE;
	if (icb->req_len < 2 || icb->req_out >= icb->req_len)
		return ICB_REQ_LEN;
	if (icb->rsp_len < 2 || icb->rsp_in >= icb->rsp_len)
		return ICB_RSP_LEN;
	if (!icb->req_addr || icb->req_addr % ISP_ENTRY)
		return ICB_REQ_ADDR;
	if (!icb->rsp_addr || icb->rsp_addr % ISP_ENTRY)
		return ICB_RSP_ADDR;
	if (!icb->wwpn)
		return ICB_PORT_NAME;
	return 0;
}

bool isp_icb_decode(IspFirmware *fw, const uint8_t *raw, IspIcb *icb, uint16_t *field)
{
	memset(icb, 0, sizeof(*icb));
	decode(raw, !fw->isp->chip->loop_only, icb);
	*field = bad_field(icb);
	if (*field) {
		isp_violation(fw->isp, ISP_V_IOCB, "ICB: the value at byte %u makes no sense", *field);
		return false;
	}
	check_reserved(fw, raw);
	check_posting(fw, icb);
	if ((icb->options & ISP_ICB_HARD_ADDRESS) && icb->hard_address > 125)
		isp_violation(fw->isp, ISP_V_IOCB, "ICB: hard address %u is no loop id",
			      icb->hard_address);
	return true;
}
