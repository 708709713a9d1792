// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests to the name server against bytes written out by hand from FC-GS (as Linux
 * include/uapi/scsi/fc/fc_gs.h and fc_ns.h give it), and answers: sound, cut, endless, rejected, noise.
 */
#include <errno.h>
#include <string.h>

#include "isp_ct.h"
#include "unit.h"

#define MAX_IDS 64

static void same(const char *what, const uint8_t *got, unsigned int len, const uint8_t *wanted,
		 unsigned int wanted_len)
{
	CHECK(len == wanted_len, "%s has %u bytes, not %u", what, len, wanted_len);
	CHECK(!memcmp(got, wanted, wanted_len), "%s: bytes differ", what);
}

#define HEADER(code, words) 1, 0, 0, 0, 0xfc, 2, 0, 0, (code) >> 8, (code) & 0xff, (words) >> 8, (words) & 0xff, \
	0, 0, 0, 0

static void requests(void)
{
	static const uint8_t gid_ft[] = { HEADER(0x0171, 256), 0, 0, 0, 8 };
	static const uint8_t rft_id[52] = { HEADER(0x0217, 0), 0, 0x01, 0x02, 0x03, 0, 0, 1, 0 };
	static const uint8_t rff_id[] = { HEADER(0x021f, 0), 0, 0x01, 0x02, 0x03, 0, 0, 2, 8 };
	static const uint8_t rnn_id[] = { HEADER(0x0213, 0), 0, 0x01, 0x02, 0x03,
		0x20, 0x00, 0x00, 0xe0, 0x8b, 0x01, 0x02, 0x03 };
	static const uint8_t rsnn_nn[] = { HEADER(0x0239, 0), 0x20, 0x00, 0x00, 0xe0, 0x8b, 0x01, 0x02, 0x03,
		3, 'i', 's', 'p' };
	uint8_t frame[ISP_CT_REQUEST_MAX];
	char text[300];

	same("GID_FT", frame, isp_ct_gid_ft(frame, 1024 + ISP_CT_HDR), gid_ft, sizeof(gid_ft));
	same("RFT_ID", frame, isp_ct_rft_id(frame, 0x010203), rft_id, sizeof(rft_id));
	same("RFF_ID", frame, isp_ct_rff_id(frame, 0x010203), rff_id, sizeof(rff_id));
	same("RNN_ID", frame, isp_ct_rnn_id(frame, 0x010203, 0x200000e08b010203ULL), rnn_id, sizeof(rnn_id));
	same("RSNN_NN", frame, isp_ct_rsnn_nn(frame, 0x200000e08b010203ULL, "isp"), rsnn_nn, sizeof(rsnn_nn));
	CHECK(isp_ct_code(frame) == ISP_NS_RSNN_NN, "code of a request");
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	CHECK(isp_ct_rsnn_nn(frame, 1, text) == ISP_CT_REQUEST_MAX && frame[ISP_CT_HDR + 8] == 255,
	      "a name that is too long is cut");
}

static void answer(uint8_t *frame, unsigned int len, uint16_t code)
{
	memset(frame, 0, len);
	frame[0] = 1;
	frame[4] = 0xfc;
	frame[5] = 2;
	frame[8] = code >> 8;
	frame[9] = code & 0xff;
}

static void put_id(uint8_t *frame, unsigned int n, uint32_t id, bool last)
{
	uint8_t *p = frame + ISP_CT_HDR + 4 * n;

	p[0] = last ? 0x80 : 0;
	p[1] = id >> 16;
	p[2] = id >> 8;
	p[3] = id;
}

static void lists(void)
{
	uint8_t frame[ISP_CT_HDR + 4 * 8];
	struct isp_ct_reply reply;
	uint32_t ids[MAX_IDS];
	unsigned int n;

	answer(frame, sizeof(frame), 0x8002);
	for (n = 0; n < 3; n++)
		put_id(frame, n, 0x010000 + n, n == 2);
	CHECK(isp_ct_port_ids(frame, sizeof(frame), ids, MAX_IDS, &reply) == 3, "three ids");
	CHECK(ids[0] == 0x010000 && ids[2] == 0x010002 && !reply.more, "the three ids");
	CHECK(isp_ct_port_ids(frame, sizeof(frame), ids, 2, &reply) == 2 && reply.more, "no room for the third");

	put_id(frame, 2, 0x010002, false);
	CHECK(isp_ct_port_ids(frame, sizeof(frame), ids, MAX_IDS, &reply) == -EBADMSG, "a list without an end");
	frame[11] = 1;
	CHECK(isp_ct_port_ids(frame, sizeof(frame), ids, MAX_IDS, &reply) == 8 && reply.more,
	      "a list that does not fit");

	answer(frame, sizeof(frame), 0x8002);
	CHECK(isp_ct_port_ids(frame, sizeof(frame), ids, MAX_IDS, &reply) == -EBADMSG, "a header alone");
	CHECK(isp_ct_port_ids(frame, ISP_CT_HDR, ids, MAX_IDS, &reply) == -EBADMSG, "no room for any id");

	answer(frame, sizeof(frame), 0x8001);
	frame[13] = 9;
	frame[14] = 7;
	CHECK(isp_ct_port_ids(frame, sizeof(frame), ids, MAX_IDS, &reply) == 0, "nobody has that type");
	frame[14] = 1;
	CHECK(isp_ct_port_ids(frame, sizeof(frame), ids, MAX_IDS, &reply) == -EIO && reply.reason == 9 &&
	      reply.explanation == 1, "a reject");
	answer(frame, sizeof(frame), 0x0171);
	CHECK(isp_ct_port_ids(frame, sizeof(frame), ids, MAX_IDS, &reply) == -EBADMSG, "a request as the answer");
}

/* Whatever the bytes are: no more ids than there is room for, nothing read beyond the buffer (sanitizers). */
static void noise(void)
{
	struct isp_ct_reply reply;
	uint32_t ids[MAX_IDS], x = 1;
	unsigned int round, len, i;
	int ret;

	for (round = 0; round < 20000; round++) {
		uint8_t *frame;

		len = ISP_CT_HDR + round % 300;
		frame = malloc(len);
		for (i = 0; i < len; i++) {
			x = x * 1664525 + 1013904223;
			frame[i] = x >> 24;
		}
		if (round & 1) {
			frame[8] = 0x80;
			frame[9] = 2;
		}
		ret = isp_ct_port_ids(frame, len, ids, MAX_IDS, &reply);
		CHECK(ret <= MAX_IDS, "%d ids", ret);
		free(frame);
	}
}

int main(void)
{
	requests();
	lists();
	noise();
	return unit_result();
}
