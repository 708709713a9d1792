// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asynchronous events: the firmware tells the host what it did not ask for.
 *
 * Numbers and mailboxes: MBA_* in Linux qla_def.h, ASYNC_* in FreeBSD ispmbox.h.
 */
#include "firmware.h"

static const struct {
	uint16_t code;
	const char *name;
} events[] = {
	{ 0x8002, "SYSTEM_ERROR" },
	{ 0x8003, "REQUEST_TRANSFER_ERROR" },
	{ 0x8004, "RESPONSE_TRANSFER_ERROR" },
	{ 0x8010, "LIP_OCCURRED" },
	{ 0x8011, "LOOP_UP" },
	{ 0x8012, "LOOP_DOWN" },
	{ 0x8013, "LIP_RESET" },
	{ 0x8014, "PORT_DB_CHANGED" },
	{ 0x8015, "STATE_CHANGE" },
	{ 0x8030, "POINT_TO_POINT" },
	{ 0x8036, "CONNECTION_MODE" },
	{ 0x8040, "RESPONSE_QUEUE_UPDATE" },
};

static const char *event_name(uint16_t code)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(events); i++)
		if (events[i].code == code)
			return events[i].name;
	return "?";
}

void isp_async(IspFirmware *fw, uint16_t event, uint16_t mb1, uint16_t mb2, uint16_t mb3)
{
	IspEvent ev = {
		.status = ISP_HS_ASYNC,
		.mask = 0xf,
		.mb = { event, mb1, mb2, mb3 },
	};
	char counter[32];

	snprintf(counter, sizeof(counter), "async.%04x", event);
	isp_count(fw->isp, counter, 1);
	isp_trace(fw->isp, "async %04x %s mb1=%04x mb2=%04x mb3=%04x", event, event_name(event), mb1,
		  mb2, mb3);
	isp_host_event(fw->isp, &ev);
}
