// SPDX-License-Identifier: GPL-2.0-only
/*
 * NVRAM decoding: images made here byte by byte, at the offsets of FreeBSD's ispreg.h and Linux' qla_def.h,
 * good ones, damaged ones, and sound ones with senseless contents.
 */
#include "isp_nvram.h"
#include "unit.h"

static uint8_t image[256];

/* A sound image: the values differ from the driver's defaults, so that a default shows. */
static void make(void)
{
	static const uint8_t wwpn[8] = { 0x21, 0x00, 0x00, 0xe0, 0x8b, 0x01, 0x02, 0x03 };
	static const uint8_t wwnn[8] = { 0x20, 0x00, 0x00, 0xe0, 0x8b, 0x01, 0x02, 0x03 };
	static const uint8_t alt[8] = { 0x21, 0x01, 0x00, 0xe0, 0x8b, 0x21, 0x22, 0x23 };

	memset(image, 0, sizeof(image));
	memcpy(image, "ISP ", 4);
	image[4] = 1;
	image[6] = 1;
	image[8] = 0x07, image[9] = 0xe0;	/* hard id, fairness, duplex, full login, node name, ext */
	image[10] = 0x00, image[11] = 0x08;	/* 2048 bytes */
	image[12] = 0x00, image[13] = 0x02;	/* 512 IOCBs */
	image[14] = 0x10;
	image[16] = 5, image[17] = 3;
	memcpy(image + 18, wwpn, 8);
	image[26] = 100;
	image[29] = 9;
	memcpy(image + 30, wwnn, 8);
	image[38] = 0x20, image[39] = 0x10;
	image[42] = 0x00, image[43] = 0x40;
	image[66] = 0xa1, image[67] = 0xa2, image[68] = 0xa3, image[69] = 0xa4;
	image[81] = 7;
	memcpy(image + 94, alt, 8);
	memcpy(image + 102, alt, 8);
	memcpy(image + 200, "QLA2342\0garbage!", 16);
}

static void seal(void)
{
	unsigned int sum = 0, i;

	for (i = 0; i < 255; i++)
		sum += image[i];
	image[255] = -sum;
}

static enum isp_nvram_fault decode(struct isp_config *cfg)
{
	memset(cfg, 0x5a, sizeof(*cfg));
	return isp_nvram_decode(image, cfg);
}

static void refused(enum isp_nvram_fault wanted, const char *what)
{
	struct isp_config cfg, untouched;
	enum isp_nvram_fault fault = decode(&cfg);

	memset(&untouched, 0x5a, sizeof(untouched));
	CHECK(fault == wanted, "%s: fault %d, not %d", what, fault, wanted);
	CHECK(!memcmp(&cfg, &untouched, sizeof(cfg)), "%s: the configuration was touched", what);
	CHECK(strlen(isp_nvram_fault_str(fault)) > 0, "%s: no text", what);
}

static void good_image(void)
{
	struct isp_config cfg;

	make();
	seal();
	CHECK(decode(&cfg) == ISP_NVRAM_OK, "a sound image is refused");
	CHECK(cfg.wwpn == 0x210000e08b010203ull, "WWPN %llx", (unsigned long long)cfg.wwpn);
	CHECK(cfg.wwnn == 0x200000e08b010203ull, "WWNN %llx", (unsigned long long)cfg.wwnn);
	CHECK(cfg.fw_options == 0xe007, "options %x", cfg.fw_options);
	CHECK(cfg.add_fw_options == 0x1020, "additional options %x", cfg.add_fw_options);
	CHECK(cfg.special_options == 0x4000, "special options %x", cfg.special_options);
	CHECK(cfg.frame_payload == 2048, "payload %u", cfg.frame_payload);
	CHECK(cfg.max_iocb == 512, "IOCBs %u", cfg.max_iocb);
	CHECK(cfg.hard_address == 100, "loop id %u", cfg.hard_address);
	CHECK(cfg.retry_count == 5 && cfg.retry_delay == 3, "retry %u %u", cfg.retry_count, cfg.retry_delay);
	CHECK(cfg.login_timeout == 9, "login timeout %u", cfg.login_timeout);
	CHECK(cfg.reset_delay == 7, "reset delay %u", cfg.reset_delay);
	CHECK(!memcmp(cfg.serial_link, image + 66, 4), "serial link options");
	CHECK(!strcmp(cfg.model, "QLA2342"), "model '%s'", cfg.model);
}

static void damaged_images(void)
{
	unsigned int bit;

	for (bit = 0; bit < 256 * 8; bit++) {
		make();
		seal();
		image[bit / 8] ^= 1 << bit % 8;
		refused(ISP_NVRAM_BAD_SUM, "a flipped bit");
	}
	memset(image, 0, sizeof(image));
	refused(ISP_NVRAM_BAD_ID, "all zeroes");
	memset(image, 0xff, sizeof(image));
	refused(ISP_NVRAM_BAD_ID, "all ones");
	make();
	memcpy(image, "ISP2", 4);
	seal();
	refused(ISP_NVRAM_BAD_ID, "another id");
	make();
	image[4] = 0;
	seal();
	refused(ISP_NVRAM_BAD_VERSION, "version 0");
	make();
	memset(image + 18, 0, 8);
	seal();
	refused(ISP_NVRAM_BAD_WWPN, "no port name");
	make();
	memset(image + 18, 0xff, 8);
	seal();
	refused(ISP_NVRAM_BAD_WWPN, "an erased port name");
}

static void chosen_names(void)
{
	struct isp_config cfg;

	make();
	image[71] = 0x80;		/* the alternate names */
	seal();
	CHECK(decode(&cfg) == ISP_NVRAM_OK && cfg.wwpn == 0x210100e08b212223ull,
	      "alternate WWPN: %llx", (unsigned long long)cfg.wwpn);
	make();
	image[9] = 0xa0;		/* no node name of its own */
	seal();
	CHECK(decode(&cfg) == ISP_NVRAM_OK && cfg.wwnn == 0, "WWNN %llx without the option",
	      (unsigned long long)cfg.wwnn);
}

/* A sound checksum over values that the firmware would choke on. */
static void senseless_values(void)
{
	static const uint16_t payloads[] = { 0, 1, 511, 513, 2113, 2120, 0x8000, 0xffff };
	struct isp_config cfg;
	size_t i;

	for (i = 0; i < sizeof(payloads) / sizeof(payloads[0]); i++) {
		make();
		image[10] = payloads[i], image[11] = payloads[i] >> 8;
		seal();
		CHECK(decode(&cfg) == ISP_NVRAM_OK, "payload %u: refused", payloads[i]);
		CHECK(cfg.frame_payload >= 512 && cfg.frame_payload <= 2112 && !(cfg.frame_payload & 7),
		      "payload %u became %u", payloads[i], cfg.frame_payload);
	}
	make();
	image[26] = 126;		/* loop ids of ports end at 125 */
	image[12] = image[13] = 0;
	image[29] = 0;
	memset(image + 200, 0xff, 16);
	seal();
	CHECK(decode(&cfg) == ISP_NVRAM_OK, "refused");
	CHECK(!(cfg.fw_options & 0x0001), "loop id 126 is asked for");
	CHECK(cfg.max_iocb > 0, "no IOCBs at all");
	CHECK(cfg.login_timeout >= 4, "login timeout %u", cfg.login_timeout);
	CHECK(cfg.model[0] == '\0', "a model of unprintable bytes");
	make();
	memcpy(image + 200, "0123456789abcdef", 16);
	seal();
	CHECK(decode(&cfg) == ISP_NVRAM_OK && !strcmp(cfg.model, "0123456789abcdef"),
	      "a model name without end: '%s'", cfg.model);
}

/* The connection option is in bits 4 to 6 of byte 38, the data rate in bits 6 and 7 of byte 43. */
static void link_choices(void)
{
	struct isp_config cfg;
	unsigned int n;

	for (n = 0; n < 8; n++) {
		make();
		image[38] = 0x8f | n << 4;
		image[43] = 0x2d | n << 6;
		seal();
		CHECK(decode(&cfg) == ISP_NVRAM_OK, "connection %u: refused", n);
		CHECK(isp_config_connection(&cfg) == (n < 4 ? n : ISP_CONN_LOOP_FIRST), "connection %u became %u", n,
		      isp_config_connection(&cfg));
		CHECK(isp_config_rate(&cfg) == ((n & 3) < 3 ? (n & 3) : ISP_RATE_AUTO), "rate %u became %u", n & 3,
		      isp_config_rate(&cfg));
		CHECK((cfg.add_fw_options & 0xff8f) == 0x108f, "connection %u: other options %x", n, cfg.add_fw_options);
		CHECK((cfg.special_options & 0x3fff) == 0x2d00, "rate %u: other options %x", n, cfg.special_options);
	}
	isp_config_connect(&cfg, ISP_CONN_P2P);
	isp_config_set_rate(&cfg, ISP_RATE_2G);
	CHECK(cfg.add_fw_options == 0x109f, "point-to-point makes the options %x", cfg.add_fw_options);
	CHECK(cfg.special_options == 0x6d00, "2 Gbit/s makes the options %x", cfg.special_options);
	isp_config_defaults(&cfg, 2048);
	CHECK(isp_config_connection(&cfg) == ISP_CONN_LOOP_FIRST, "default connection %u", isp_config_connection(&cfg));
	CHECK(isp_config_rate(&cfg) == ISP_RATE_AUTO, "default rate %u", isp_config_rate(&cfg));
}

static void defaults_and_local_names(void)
{
	struct isp_config cfg;
	uint64_t a = isp_wwpn_local("0000:00:04.0", 12), b = isp_wwpn_local("0000:00:05.0", 12);

	isp_config_defaults(&cfg, 2048);
	CHECK(cfg.frame_payload == 2048, "payload %u", cfg.frame_payload);
	CHECK(cfg.max_iocb > 0 && cfg.login_timeout >= 4 && cfg.retry_count > 0, "unusable defaults");
	CHECK(!(cfg.fw_options & 0x0030), "target mode on, or initiator mode off");
	CHECK(a >> 60 == 3, "%llx is not locally assigned", (unsigned long long)a);
	CHECK(a != b, "two cards, one name");
	CHECK(a == isp_wwpn_local("0000:00:04.0", 12), "one card, two names");
}

int main(void)
{
	good_image();
	damaged_images();
	chosen_names();
	senseless_values();
	link_choices();
	defaults_and_local_names();
	return unit_result();
}
