/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The card's configuration: what the NVRAM says, decoded and made safe.
 *
 * Pure functions over bytes: no card, no kernel service, so that tests can
 * compile them on any machine.
 */
#ifndef ISP_NVRAM_H
#define ISP_NVRAM_H

#include "isp_iocb.h"

/*
 * What to try to connect as, and how fast: as chosen by the user, in NVRAM and
 * in the control block. The last of each is no value of the latter two.
 */
enum isp_connection {
	ISP_CONN_LOOP		= 0,
	ISP_CONN_P2P		= 1,
	ISP_CONN_LOOP_FIRST	= 2,
	ISP_CONN_P2P_FIRST	= 3,
	ISP_CONN_NVRAM		= 4,
};

enum isp_rate {
	ISP_RATE_1G		= 0,
	ISP_RATE_2G		= 1,
	ISP_RATE_AUTO		= 2,
	ISP_RATE_NVRAM		= 3,
};

extern const char * const isp_connection_names[ISP_CONN_NVRAM + 1];
extern const char * const isp_rate_names[ISP_RATE_NVRAM + 1];

/**
 * struct isp_config - configuration of one card
 * @wwpn: port name
 * @wwnn: node name, 0 if the firmware shall derive it from the port name
 * @fw_options: firmware options as in the initialization control block
 * @add_fw_options: additional firmware options, likewise
 * @special_options: special options, likewise
 * @frame_payload: largest frame payload to receive, bytes
 * @max_iocb: IOCBs the firmware may hold
 * @hard_address: loop id to ask for if ISP_FWO_HARD_ID is set
 * @retry_count: login retries, up to 16
 * @retry_delay: between them, s, up to 5
 * @login_timeout: s, 4 to 30
 * @reset_delay: after a loop reset, s, up to 10
 * @serial_link: analogue settings of the transceiver, as stored
 * @model: model number, printable, may be empty
 */
struct isp_config {
	__u64	wwpn;
	__u64	wwnn;
	__u16	fw_options;
	__u16	add_fw_options;
	__u16	special_options;
	__u16	frame_payload;
	__u16	max_iocb;
	__u16	hard_address;
	__u8	retry_count;
	__u8	retry_delay;
	__u8	login_timeout;
	__u8	reset_delay;
	__u8	serial_link[4];
	char	model[17];
};

/**
 * enum isp_nvram_fault - why an NVRAM image is not usable
 * @ISP_NVRAM_OK: it is usable
 * @ISP_NVRAM_BAD_SUM: its bytes do not sum to zero
 * @ISP_NVRAM_BAD_ID: it does not begin with "ISP "
 * @ISP_NVRAM_BAD_VERSION: its version is 0
 * @ISP_NVRAM_BAD_WWPN: the port name in it is all zeroes or all ones
 */
enum isp_nvram_fault {
	ISP_NVRAM_OK,
	ISP_NVRAM_BAD_SUM,
	ISP_NVRAM_BAD_ID,
	ISP_NVRAM_BAD_VERSION,
	ISP_NVRAM_BAD_WWPN,
};

static inline enum isp_connection
isp_config_connection(const struct isp_config *cfg)
{
	return (cfg->add_fw_options & ISP_AFO_CONNECTION) >> 4;
}

static inline void isp_config_connect(struct isp_config *cfg,
				      enum isp_connection connection)
{
	cfg->add_fw_options &= ~ISP_AFO_CONNECTION;
	cfg->add_fw_options |= connection << 4;
}

static inline enum isp_rate isp_config_rate(const struct isp_config *cfg)
{
	return cfg->special_options >> 14;
}

static inline void isp_config_set_rate(struct isp_config *cfg,
				       enum isp_rate rate)
{
	cfg->special_options &= ~ISP_SPO_RATE;
	cfg->special_options |= rate << 14;
}

enum isp_nvram_fault isp_nvram_decode(const __u8 *raw, struct isp_config *cfg);
void isp_config_defaults(struct isp_config *cfg, __u16 frame_payload);
__u64 isp_wwpn_local(const void *seed, unsigned int len);
const char *isp_nvram_fault_str(enum isp_nvram_fault fault);

#endif /* ISP_NVRAM_H */
