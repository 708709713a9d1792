/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Floor 2: Common Transport, the language of a fabric's name server (FC-GS).
 *
 * Pure functions over bytes, big-endian as on the wire: what a name server
 * answers is as little to be trusted as what a card does.
 */
#ifndef ISP_CT_H
#define ISP_CT_H

#include <linux/types.h>

#define ISP_CT_HDR		16

/* Requests to the name server. */
enum isp_ns_code {
	ISP_NS_GID_FT		= 0x0171,	/* port ids, by FC-4 type */
	ISP_NS_RNN_ID		= 0x0213,	/* register node name */
	ISP_NS_RFT_ID		= 0x0217,	/* register FC-4 types */
	ISP_NS_RFF_ID		= 0x021f,	/* register FC-4 features */
	ISP_NS_RSNN_NN		= 0x0239,	/* register symbolic node name */
};

/* Longest request: RSNN_NN with a name of 255 bytes. */
#define ISP_CT_REQUEST_MAX	(ISP_CT_HDR + 8 + 1 + 255)

/**
 * struct isp_ct_reply - how a request was answered
 * @reason: why it was rejected, 0 if accepted
 * @explanation: more about that
 * @more: the answer did not fit into the buffer
 */
struct isp_ct_reply {
	__u8 reason;
	__u8 explanation;
	bool more;
};

/* Reject: nobody has registered that type. */
#define ISP_CT_UNABLE		0x09
#define ISP_CT_NO_SUCH_TYPE	0x07

__u16 isp_ct_code(const __u8 *frame);
unsigned int isp_ct_gid_ft(__u8 *frame, unsigned int room);
unsigned int isp_ct_rft_id(__u8 *frame, __u32 port_id);
unsigned int isp_ct_rff_id(__u8 *frame, __u32 port_id);
unsigned int isp_ct_rnn_id(__u8 *frame, __u32 port_id, __u64 wwnn);
unsigned int isp_ct_rsnn_nn(__u8 *frame, __u64 wwnn, const char *name);
int isp_ct_check(const __u8 *frame, struct isp_ct_reply *reply);
int isp_ct_port_ids(const __u8 *frame, unsigned int len, __u32 *ids,
		    unsigned int max, struct isp_ct_reply *reply);

#endif /* ISP_CT_H */
