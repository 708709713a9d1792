// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoding of the NVRAM image of the 16-bit chips, and the defaults that
 * stand in for one that cannot be used. Pure functions; see isp_nvram.h.
 */
#include "isp_nvram.h"

/* In the order of enum isp_connection, and as users write them. */
const char * const isp_connection_names[] = {
	"loop", "p2p", "loop-first", "p2p-first", "nvram"
};

const char * const isp_rate_names[] = { "1", "2", "auto", "nvram" };

static __u16 nv_le16(__le16 v)
{
	const __u8 *p = (const __u8 *)&v;

	return p[0] | p[1] << 8;
}

static __u64 nv_wwn(const __u8 *p)
{
	__u64 v = 0;
	int i;

	for (i = 0; i < 8; i++)
		v = v << 8 | p[i];
	return v;
}

static void nv_model(char *to, const __u8 *from)
{
	int i;

	for (i = 0; i < 16 && from[i] > ' ' && from[i] < 0x7f; i++)
		to[i] = from[i];
	to[i] = '\0';
}

/*
 * Values that the firmware would reject or choke on are replaced one by one:
 * a valid checksum does not make a sane content.
 */
static void nv_sanitize(struct isp_config *cfg)
{
	if (cfg->frame_payload < 512 || cfg->frame_payload > 2112 ||
	    cfg->frame_payload & 7)
		cfg->frame_payload = 1024;
	if (!cfg->max_iocb)
		cfg->max_iocb = 256;
	if (cfg->login_timeout < 4 || cfg->login_timeout > 30)
		cfg->login_timeout = 4;
	if (cfg->retry_count > 16)
		cfg->retry_count = 8;
	if (cfg->retry_delay > 5)
		cfg->retry_delay = 1;
	if (cfg->reset_delay > 10)
		cfg->reset_delay = 5;
	if (cfg->hard_address > 125)
		cfg->fw_options &= ~ISP_FWO_HARD_ID;
	/* What stands for nothing: as freebsd has it. */
	if (isp_config_connection(cfg) > ISP_CONN_P2P_FIRST)
		isp_config_connect(cfg, ISP_CONN_LOOP_FIRST);
	if (isp_config_rate(cfg) > ISP_RATE_AUTO)
		isp_config_set_rate(cfg, ISP_RATE_AUTO);
}

/**
 * isp_nvram_decode() - check and decode an NVRAM image
 * @raw: ISP_NVRAM_SIZE bytes as read from the card
 * @cfg: where to put the configuration; untouched if the image is bad
 *
 * The layout and the checksum rule are those of qla2xxx (nvram_t,
 * qla2x00_nvram_config()) and OpenBSD qla_read_nvram().
 *
 * Return: ISP_NVRAM_OK or what is wrong with the image.
 */
enum isp_nvram_fault isp_nvram_decode(const __u8 *raw, struct isp_config *cfg)
{
	const struct isp_nvram *nv = (const struct isp_nvram *)raw;
	const __u8 *wwpn = nv->port_name, *wwnn = nv->node_name;
	__u8 sum = 0;
	__u64 name;
	int i;

	for (i = 0; i < ISP_NVRAM_SIZE; i++)
		sum += raw[i];
	if (sum)
		return ISP_NVRAM_BAD_SUM;
	if (raw[0] != 'I' || raw[1] != 'S' || raw[2] != 'P' || raw[3] != ' ')
		return ISP_NVRAM_BAD_ID;
	if (!nv->version)
		return ISP_NVRAM_BAD_VERSION;
	if (nv_le16(nv->host_options) & ISP_NV_HOST_ALT_WWN) {
		wwpn = nv->alt_port_name;
		wwnn = nv->alt_node_name;
	}
	name = nv_wwn(wwpn);
	if (!name || name == ~0ULL)
		return ISP_NVRAM_BAD_WWPN;

	cfg->wwpn = name;
	cfg->fw_options = nv_le16(nv->fw_options);
	cfg->wwnn = cfg->fw_options & ISP_FWO_NODE_NAME ? nv_wwn(wwnn) : 0;
	cfg->add_fw_options = nv_le16(nv->add_fw_options);
	cfg->special_options = nv_le16(nv->special_options);
	cfg->frame_payload = nv_le16(nv->frame_payload);
	cfg->max_iocb = nv_le16(nv->max_iocb);
	cfg->hard_address = nv_le16(nv->hard_address);
	cfg->retry_count = nv->retry_count;
	cfg->retry_delay = nv->retry_delay;
	cfg->login_timeout = nv->login_timeout;
	cfg->reset_delay = nv->reset_delay;
	for (i = 0; i < 4; i++)
		cfg->serial_link[i] = nv->serial_link[i];
	nv_model(cfg->model, nv->model);
	nv_sanitize(cfg);
	return ISP_NVRAM_OK;
}

/**
 * isp_config_defaults() - a configuration that works without NVRAM
 * @cfg: configuration to fill; its names stay 0 and are the caller's to set
 * @frame_payload: payload the chip handles best, bytes
 *
 * The values are those that qla2xxx falls back to.
 */
void isp_config_defaults(struct isp_config *cfg, __u16 frame_payload)
{
	*cfg = (struct isp_config) {
		.fw_options = ISP_FWO_FAIRNESS | ISP_FWO_FULL_DUPLEX |
			      ISP_FWO_FULL_LOGIN | ISP_FWO_EXT_ICB,
		.add_fw_options = ISP_AFO_FC_TAPE | ISP_AFO_FC_CONFIRM,
		.frame_payload = frame_payload,
		.max_iocb = 256,
		.retry_count = 8,
		.retry_delay = 1,
		.login_timeout = 4,
		.reset_delay = 5,
	};
	isp_config_connect(cfg, ISP_CONN_LOOP_FIRST);
	isp_config_set_rate(cfg, ISP_RATE_AUTO);
}

/**
 * isp_wwpn_local() - a port name for a card that has lost its own
 * @seed: bytes that tell this card from all others
 * @len: their number
 *
 * A name of the locally assigned kind (FC-FS: NAA 3, the other 60 bits free),
 * so that it can never collide with a vendor's, and the same for the same
 * seed. The 60 bits are an FNV-1a hash.
 *
 * Return: the name.
 */
__u64 isp_wwpn_local(const void *seed, unsigned int len)
{
	const __u8 *p = seed;
	__u64 hash = 0xcbf29ce484222325ULL;

	while (len--)
		hash = (hash ^ *p++) * 0x100000001b3ULL;
	return (hash & 0x0fffffffffffffffULL) | 0x3000000000000000ULL;
}

/**
 * isp_nvram_fault_str() - what to tell the user about an unusable NVRAM
 * @fault: from isp_nvram_decode()
 *
 * Return: a constant text.
 */
const char *isp_nvram_fault_str(enum isp_nvram_fault fault)
{
	switch (fault) {
	case ISP_NVRAM_BAD_SUM:
		return "checksum is wrong";
	case ISP_NVRAM_BAD_ID:
		return "does not begin with \"ISP \"";
	case ISP_NVRAM_BAD_VERSION:
		return "has version 0";
	case ISP_NVRAM_BAD_WWPN:
		return "holds no port name";
	case ISP_NVRAM_OK:
		break;
	}
	return "is usable";
}
