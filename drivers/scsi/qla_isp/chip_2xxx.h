/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Floor 1: what the 16-bit families (ISP2100/2200 and ISP23xx) have in
 * common: part of the register file, the firmware's language, the formats
 * of queue entries.
 */
#ifndef CHIP_2XXX_H
#define CHIP_2XXX_H

#include "isp_chip.h"
#include "isp_iocb.h"

/* Registers, byte offsets (qla2xxx: struct device_reg_2xxx). */
#define ISP_CTRL_STATUS		0x06
#define   ISP_CSR_SOFT_RESET	0x0001
#define   ISP_CSR_RISC		0x0000	/* bank select */
#define   ISP_CSR_FB		0x0010
#define   ISP_CSR_FPM		0x0020
#define   ISP_CSR_FUNCTION	0xc000	/* PCI function of a 2312 and later */
#define ISP_ICTRL		0x08
#define   ISP_ICR_ENABLE	0x8008
#define ISP_ISTATUS		0x0a
#define   ISP_ISR_RISC		0x0008
#define ISP_SEMAPHORE		0x0c
#define   ISP_SEMA_LOCK		0x0001
#define ISP_NVRAM		0x0e
#define   ISP_NVR_BUSY		0x8000
#define   ISP_NVR_DATA_IN	0x0008
#define   ISP_NVR_DATA_OUT	0x0004
#define   ISP_NVR_SELECT	0x0002
#define   ISP_NVR_CLOCK		0x0001
#define ISP_FPM_DIAG		0x96
#define   ISP_FPM_RESET		0x0100
#define ISP_HCCR		0xc0
#define   ISP_HCCR_PAUSED	0x0020
#define   ISP_HCCR_RESET_RISC	0x1000
#define   ISP_HCCR_PAUSE_RISC	0x2000
#define   ISP_HCCR_RELEASE_RISC	0x3000
#define   ISP_HCCR_NO_PARITY_PAUSE 0x4001
#define   ISP_HCCR_SET_HOST_INT	0x5000
#define   ISP_HCCR_CLR_HOST_INT	0x6000
#define   ISP_HCCR_CLR_RISC_INT	0x7000
#define   ISP_HCCR_PARITY	0xa000

/* Firmware options, words 1 and 3 (qla2xxx: FO1_*, qla2x00_update_fw_options). */
#define ISP_FO1_LIP_F8		0x0001
#define ISP_FO1_LIP_RESET	0x0002
#define ISP_FO1_LOOP_INIT_ERROR	0x0080
#define ISP_FO1_EMPHASIS_SWING	0x0100
#define ISP_FO1_EVENTS		(ISP_FO1_LIP_F8 | ISP_FO1_LIP_RESET | \
				 ISP_FO1_LOOP_INIT_ERROR)
#define ISP_FO3_NO_ABTS_WAIT	0x2000

/* Set in the control block of all chips but the ISP2100. */
#define ISP_2XXX_FWO_EXTENDED	(ISP_FWO_EXT_ICB | ISP_FWO_FULL_DUPLEX | \
				 ISP_FWO_FAIRNESS)

/* Registers and reset. */
int isp_2xxx_poll(struct isp_hw *hw, unsigned int reg, u16 mask, u16 want,
		  unsigned int timeout_ms);
int isp_2xxx_reset_tail(struct isp_hw *hw, unsigned int mbox0);
int isp_2xxx_reset_rest(struct isp_hw *hw, unsigned int mbox0);
void isp_2xxx_intr_enable(struct isp_hw *hw, bool on);
void isp_2xxx_mbox_ring(struct isp_hw *hw);
void isp_2xxx_bus_name(struct isp_hw *hw, char *buf, size_t len);
void isp_2xxx_registers(struct isp_hw *hw, char *buf, size_t len);
void isp_2xxx_nvram_words(struct isp_hw *hw, unsigned int base, u8 *buf);
u16 isp_2xxx_debounce(struct isp_hw *hw, unsigned int reg);

/* Firmware. */
int isp_2xxx_ram_read(struct isp_hw *hw, u32 addr, u32 words, void *to);
int isp_2xxx_fw_load(struct isp_hw *hw, const u8 *data, u32 words, u32 addr);
int isp_2xxx_fw_verify(struct isp_hw *hw, u32 addr);
int isp_2xxx_fw_start(struct isp_hw *hw, u32 addr);
int isp_2xxx_fw_about(struct isp_hw *hw);
int isp_2xxx_set_options(struct isp_hw *hw, u16 fo1, u16 fo3,
			 const u16 *serdes);
int isp_2xxx_fw_init(struct isp_hw *hw, const struct isp_rings *rings,
		     u16 fw_options);
u16 isp_2xxx_max_loop_id(const struct isp_hw *hw);
int isp_2xxx_get_state(struct isp_hw *hw, u16 *state);
int isp_2xxx_get_local_id(struct isp_hw *hw, struct isp_local_id *id);
int isp_2xxx_get_ids(struct isp_hw *hw, unsigned int entry_size, u16 *ids,
		     unsigned int max, u16 (*id_of)(const void *entry));
int isp_2xxx_get_port(struct isp_hw *hw, u16 loop_id, bool verify,
		      struct isp_port_info *info);
int isp_2xxx_login(struct isp_hw *hw, u16 loop_id);
int isp_2xxx_login_fabric(struct isp_hw *hw, u16 loop_id, u32 port_id,
			  u16 *used);
int isp_2xxx_logout_fabric(struct isp_hw *hw, u16 loop_id);
int isp_2xxx_register_changes(struct isp_hw *hw);
int isp_2xxx_name_server(struct isp_hw *hw, const u8 *req,
			 unsigned int req_len, u8 *rsp, unsigned int rsp_len);
int isp_2xxx_send_sns(struct isp_hw *hw, const u8 *req, unsigned int req_len,
		      u8 *rsp, unsigned int rsp_len);
int isp_2xxx_get_link_counts(struct isp_hw *hw, u16 loop_id,
			     struct isp_link_counts *c);
int isp_2xxx_abort(struct isp_hw *hw, u16 loop_id, u64 lun, u32 handle);
int isp_2xxx_reset_lun(struct isp_hw *hw, u16 loop_id, u64 lun);
int isp_2xxx_reset_target(struct isp_hw *hw, u16 loop_id);
int isp_2xxx_reset_loop(struct isp_hw *hw);
int isp_2xxx_lip(struct isp_hw *hw);

/* Queue entries. */
void isp_2xxx_build_command(struct isp_hw *hw, void *entry,
			    const struct isp_request *rq, u32 handle,
			    unsigned int entries);
struct scatterlist *isp_2xxx_build_cont(void *entry, struct scatterlist *sg,
					unsigned int nseg);
void isp_2xxx_build_marker(struct isp_hw *hw, void *entry,
			   enum isp_marker_kind kind, u16 loop_id, u64 lun);
u32 isp_2xxx_good(const void *entry);
enum isp_rsp_kind isp_2xxx_decode(const void *entry,
				  struct isp_status *status);

/* The operations that are the same on all chips of both families. */
#define ISP_2XXX_OPS						\
	.rsp_ack		= ISP_HCCR,			\
	.rsp_ack_val		= ISP_HCCR_CLR_RISC_INT,	\
	.cmd_dsds		= ISP_CMD3_DSDS,		\
	.cont_dsds		= ISP_CONT_DSDS,		\
	.intr_enable		= isp_2xxx_intr_enable,		\
	.mbox_ring		= isp_2xxx_mbox_ring,		\
	.bus_name		= isp_2xxx_bus_name,		\
	.registers		= isp_2xxx_registers,		\
	.fw_load		= isp_2xxx_fw_load,		\
	.fw_verify		= isp_2xxx_fw_verify,		\
	.fw_start		= isp_2xxx_fw_start,		\
	.fw_about		= isp_2xxx_fw_about,		\
	.get_state		= isp_2xxx_get_state,		\
	.get_port		= isp_2xxx_get_port,		\
	.login			= isp_2xxx_login,		\
	.login_fabric		= isp_2xxx_login_fabric,	\
	.logout_fabric		= isp_2xxx_logout_fabric,	\
	.register_changes	= isp_2xxx_register_changes,	\
	.get_link_counts	= isp_2xxx_get_link_counts,	\
	.abort			= isp_2xxx_abort,		\
	.reset_lun		= isp_2xxx_reset_lun,		\
	.reset_target		= isp_2xxx_reset_target,	\
	.reset_loop		= isp_2xxx_reset_loop,		\
	.lip			= isp_2xxx_lip,			\
	.build_command		= isp_2xxx_build_command,	\
	.build_cont		= isp_2xxx_build_cont,		\
	.build_marker		= isp_2xxx_build_marker,	\
	.good			= isp_2xxx_good,		\
	.decode			= isp_2xxx_decode

#endif /* CHIP_2XXX_H */
