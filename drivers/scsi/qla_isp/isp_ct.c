// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 2: requests to a fabric's name server, and what it answers. Described
 * in isp_ct.h. Compiles on the host too, where a test feeds it nonsense.
 *
 * Source of the layouts: linux include/uapi/scsi/fc/fc_gs.h and fc_ns.h.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "isp_ct.h"

#define CT_REVISION		1
#define CT_DIRECTORY		0xfc
#define CT_NAME_SERVER		0x02
#define CT_REJECT		0x8001
#define CT_ACCEPT		0x8002

#define FC4_FCP			0x08
#define FC4_FCP_INITIATOR	0x02

#define ID_SIZE			4
#define ID_LAST			0x80	/* in the first byte of the last one */

static void put16(__u8 *p, __u16 val)
{
	p[0] = val >> 8;
	p[1] = val;
}

static void put32(__u8 *p, __u32 val)
{
	put16(p, val >> 16);
	put16(p + 2, val);
}

static void put64(__u8 *p, __u64 val)
{
	put32(p, val >> 32);
	put32(p + 4, val);
}

static __u16 get16(const __u8 *p)
{
	return p[0] << 8 | p[1];
}

static __u32 get24(const __u8 *p)
{
	return p[0] << 16 | p[1] << 8 | p[2];
}

/* @want: bytes of the answer behind its header that there is room for. */
static __u8 *request(__u8 *frame, enum isp_ns_code code, unsigned int want)
{
	memset(frame, 0, ISP_CT_HDR);
	frame[0] = CT_REVISION;
	frame[4] = CT_DIRECTORY;
	frame[5] = CT_NAME_SERVER;
	put16(frame + 8, code);
	put16(frame + 10, want / 4);
	return frame + ISP_CT_HDR;
}

/**
 * isp_ct_code() - what a request asks for
 * @frame: request
 *
 * Return: enum isp_ns_code.
 */
__u16 isp_ct_code(const __u8 *frame)
{
	return get16(frame + 8);
}

/**
 * isp_ct_gid_ft() - ask for the ids of all FCP ports
 * @frame: where to build the request, ISP_CT_REQUEST_MAX bytes
 * @room: bytes that the answer may take, header included
 *
 * Return: length of the request.
 */
unsigned int isp_ct_gid_ft(__u8 *frame, unsigned int room)
{
	__u8 *p = request(frame, ISP_NS_GID_FT, room - ISP_CT_HDR);

	put32(p, FC4_FCP);
	return ISP_CT_HDR + 4;
}

/**
 * isp_ct_rft_id() - register that a port speaks FCP
 * @frame: where to build the request, ISP_CT_REQUEST_MAX bytes
 * @port_id: of the port
 *
 * Return: length of the request.
 */
unsigned int isp_ct_rft_id(__u8 *frame, __u32 port_id)
{
	__u8 *p = request(frame, ISP_NS_RFT_ID, 0);

	put32(p, port_id);
	memset(p + 4, 0, 32);
	put32(p + 4, 1 << FC4_FCP);
	return ISP_CT_HDR + 36;
}

/**
 * isp_ct_rff_id() - register that a port is an FCP initiator
 * @frame: where to build the request, ISP_CT_REQUEST_MAX bytes
 * @port_id: of the port
 *
 * Return: length of the request.
 */
unsigned int isp_ct_rff_id(__u8 *frame, __u32 port_id)
{
	__u8 *p = request(frame, ISP_NS_RFF_ID, 0);

	put32(p, port_id);
	put32(p + 4, FC4_FCP_INITIATOR << 8 | FC4_FCP);
	return ISP_CT_HDR + 8;
}

/**
 * isp_ct_rnn_id() - register a port's node name
 * @frame: where to build the request, ISP_CT_REQUEST_MAX bytes
 * @port_id: of the port
 * @wwnn: its node name
 *
 * Return: length of the request.
 */
unsigned int isp_ct_rnn_id(__u8 *frame, __u32 port_id, __u64 wwnn)
{
	__u8 *p = request(frame, ISP_NS_RNN_ID, 0);

	put32(p, port_id);
	put64(p + 4, wwnn);
	return ISP_CT_HDR + 12;
}

/**
 * isp_ct_rsnn_nn() - register what a node calls itself
 * @frame: where to build the request, ISP_CT_REQUEST_MAX bytes
 * @wwnn: node name
 * @name: text; of a longer one the first 255 bytes
 *
 * Return: length of the request.
 */
unsigned int isp_ct_rsnn_nn(__u8 *frame, __u64 wwnn, const char *name)
{
	__u8 *p = request(frame, ISP_NS_RSNN_NN, 0);
	unsigned int len = strnlen(name, 255);

	put64(p, wwnn);
	p[8] = len;
	memcpy(p + 9, name, len);
	return ISP_CT_HDR + 9 + len;
}

/**
 * isp_ct_check() - was a request accepted?
 * @frame: answer, at least ISP_CT_HDR bytes
 * @reply: more about it
 *
 * Return: 0 if so, -EIO if it was rejected, -EBADMSG if this is no answer.
 */
int isp_ct_check(const __u8 *frame, struct isp_ct_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	switch (get16(frame + 8)) {
	case CT_ACCEPT:
		reply->more = get16(frame + 10);
		return 0;
	case CT_REJECT:
		reply->reason = frame[13];
		reply->explanation = frame[14];
		return -EIO;
	default:
		return -EBADMSG;
	}
}

/**
 * isp_ct_port_ids() - read the answer to isp_ct_gid_ft()
 * @frame: answer
 * @len: bytes in the buffer; those that the answer did not fill are 0
 * @ids: where to put the port ids
 * @max: room there
 * @reply: more about it; @more if there are others that had no room
 *
 * Return: number of ids, -EIO if the request was rejected, or -EBADMSG if the
 * answer is none, or has no end.
 */
int isp_ct_port_ids(const __u8 *frame, unsigned int len, __u32 *ids,
		    unsigned int max, struct isp_ct_reply *reply)
{
	unsigned int off, n = 0;
	int ret = isp_ct_check(frame, reply);

	if (ret == -EIO && reply->reason == ISP_CT_UNABLE &&
	    reply->explanation == ISP_CT_NO_SUCH_TYPE)
		return 0;
	if (ret)
		return ret;
	for (off = ISP_CT_HDR; off + ID_SIZE <= len; off += ID_SIZE) {
		if (n == max) {
			reply->more = true;
			return n;
		}
		ids[n++] = get24(frame + off + 1);
		if (frame[off] & ID_LAST)
			return n;
	}
	return reply->more ? (int)n : -EBADMSG;
}
