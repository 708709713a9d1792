/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints, for all floors: commands and their ends, mailbox commands,
 * events of the firmware, states of adapter, link and ports. They know the
 * card's structures (isp_chip.h) and numbers; Documentation/troubleshooting.md
 * shows what they print.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM qla_isp

#if !defined(ISP_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define ISP_TRACE_H

#include <linux/tracepoint.h>

#include "isp_chip.h"

/* What user space is to know by number, since it reads the names here. */
TRACE_DEFINE_ENUM(ISP_DIR_READ);
TRACE_DEFINE_ENUM(ISP_DIR_WRITE);
TRACE_DEFINE_ENUM(ISP_DIR_NONE);

TRACE_DEFINE_ENUM(ISP_COLD);
TRACE_DEFINE_ENUM(ISP_STARTING);
TRACE_DEFINE_ENUM(ISP_UP);
TRACE_DEFINE_ENUM(ISP_FAULT);
TRACE_DEFINE_ENUM(ISP_ASLEEP);
TRACE_DEFINE_ENUM(ISP_DEAD);

TRACE_DEFINE_ENUM(ISP_LINK_DOWN);
TRACE_DEFINE_ENUM(ISP_LINK_INIT);
TRACE_DEFINE_ENUM(ISP_LINK_READY);

TRACE_DEFINE_ENUM(ISP_PORT_NEW);
TRACE_DEFINE_ENUM(ISP_PORT_ONLINE);
TRACE_DEFINE_ENUM(ISP_PORT_LOST);

/*
 * A command is on the request ring (@st is NULL), or has ended and is about to
 * be given back (@st is NULL if it ended well).
 */
DECLARE_EVENT_CLASS(isp_io,
		    TP_PROTO(const struct isp_hw *hw, const struct isp_request *rq, u32 handle,
			     const struct isp_status *st),
		    TP_ARGS(hw, rq, handle, st),
		    TP_STRUCT__entry(__field(u16, host)
				     __field(u16, loop_id)
				     __field(u32, handle)
				     __field(u64, lun)
				     __array(u8, cdb, 16)
				     __field(u32, bytes)
				     __field(u32, resid)
				     __field(u16, segs)
				     __field(u16, comp)
				     __field(u16, sense)
				     __field(u8, scsi)
				     __field(u8, dir)
		    ),
		    TP_fast_assign(__entry->host = hw->host;
				   __entry->loop_id = READ_ONCE(rq->nexus->loop_id);
				   __entry->handle = handle;
				   __entry->lun = rq->lun;
				   memcpy(__entry->cdb, rq->cdb, sizeof(__entry->cdb));
				   __entry->bytes = rq->bytes;
				   __entry->resid = st ? st->resid : 0;
				   __entry->segs = rq->nseg;
				   __entry->comp = st ? st->comp : ISP_CS_COMPLETE;
				   __entry->sense = st ? st->sense_len : 0;
				   __entry->scsi = st ? st->scsi : 0;
				   __entry->dir = rq->dir;
		    ),
		    TP_printk("host%u loop_id=%u lun=%llu handle=%08x %s bytes=%u segments=%u cdb=%s",
			      __entry->host, __entry->loop_id, __entry->lun,
			      __entry->handle,
			      __print_symbolic(__entry->dir,
					       { ISP_DIR_READ, "read" },
					       { ISP_DIR_WRITE, "write" },
					       { ISP_DIR_NONE, "no-data" }),
			      __entry->bytes, __entry->segs, __print_hex(__entry->cdb, 16))
);

DEFINE_EVENT(isp_io, isp_command,
	     TP_PROTO(const struct isp_hw *hw, const struct isp_request *rq, u32 handle,
		      const struct isp_status *st),
	     TP_ARGS(hw, rq, handle, st));

DEFINE_EVENT_PRINT(isp_io, isp_complete,
		   TP_PROTO(const struct isp_hw *hw, const struct isp_request *rq, u32 handle,
			    const struct isp_status *st),
		   TP_ARGS(hw, rq, handle, st),
		   TP_printk("host%u loop_id=%u lun=%llu handle=%08x opcode=%02x %s scsi=%02x residual=%u sense=%u",
			     __entry->host, __entry->loop_id, __entry->lun,
			     __entry->handle, __entry->cdb[0],
			     __print_symbolic(__entry->comp,
					      { ISP_CS_COMPLETE, "complete" },
					      { ISP_CS_INCOMPLETE, "incomplete" },
					      { ISP_CS_DMA, "dma-error" },
					      { ISP_CS_TRANSPORT, "transport-error" },
					      { ISP_CS_RESET, "reset" },
					      { ISP_CS_ABORTED, "aborted" },
					      { ISP_CS_TIMEOUT, "timeout" },
					      { ISP_CS_OVERRUN, "overrun" },
					      { ISP_CS_UNDERRUN, "underrun" },
					      { ISP_CS_QUEUE_FULL, "queue-full" },
					      { ISP_CS_PORT_UNAVAILABLE, "port-unavailable" },
					      { ISP_CS_PORT_LOGGED_OUT, "port-logged-out" },
					      { ISP_CS_PORT_CHANGED, "port-changed" },
					      { ISP_CS_PORT_BUSY, "port-busy" },
					      { ISP_CS_REJECTED, "entry-rejected" },
					      { ISP_CS_NO_ROOM, "no-room" },
					      { ISP_CS_HOST_RESET, "card-reset" },
					      { ISP_CS_HOST_DEAD, "card-dead" }),
			     __entry->scsi, __entry->resid, __entry->sense)
);

/*
 * A mailbox command, its end (mailbox 0 is then the answer's status), and an
 * asynchronous event of the firmware (whose code is in mailbox 0).
 */
DECLARE_EVENT_CLASS(isp_mbox,
		    TP_PROTO(const struct isp_hw *hw, const u16 *mb, u16 code, int ret),
		    TP_ARGS(hw, mb, code, ret),
		    TP_STRUCT__entry(__field(u16, host)
				     __field(u16, code)
				     __array(u16, mb, 4)
				     __field(int, ret)
		    ),
		    TP_fast_assign(__entry->host = hw->host;
				   __entry->code = code;
				   __entry->ret = ret;
				   memcpy(__entry->mb, mb, sizeof(__entry->mb));
		    ),
		    TP_printk("host%u %s (%02x) mailboxes %04x %04x %04x %04x ret=%d",
			      __entry->host,
			      __print_symbolic(__entry->code,
					       { ISP_MBC_EXECUTE, "execute-firmware" },
					       { ISP_MBC_WRITE_RAM_WORD, "write-ram-word" },
					       { ISP_MBC_REGISTER_TEST, "register-test" },
					       { ISP_MBC_VERIFY_CHECKSUM, "verify-checksum" },
					       { ISP_MBC_ABOUT_FIRMWARE, "about-firmware" },
					       { ISP_MBC_LOAD_RAM, "load-ram" },
					       { ISP_MBC_LOAD_RAM_EXT, "load-ram-ext" },
					       { ISP_MBC_DUMP_RAM_EXT, "dump-ram-ext" },
					       { ISP_MBC_WRITE_RAM_WORD_EXT, "write-ram-word-ext" },
					       { ISP_MBC_ABORT_COMMAND, "abort-command" },
					       { ISP_MBC_ABORT_TARGET, "abort-target" },
					       { ISP_MBC_GET_LOOP_ID, "get-loop-id" },
					       { ISP_MBC_GET_OPTIONS, "get-options" },
					       { ISP_MBC_SET_OPTIONS, "set-options" },
					       { ISP_MBC_GET_RESOURCES, "get-resources" },
					       { ISP_MBC_GET_PORT_LOGIN, "get-port-login" },
					       { ISP_MBC_EXECUTE_IOCB_A64, "execute-iocb" },
					       { ISP_MBC_INIT_FIRMWARE, "initialize-firmware" },
					       { ISP_MBC_GET_PORT_DATABASE, "get-port-database" },
					       { ISP_MBC_GET_STATE, "get-state" },
					       { ISP_MBC_GET_LINK_STATUS, "get-link-status" },
					       { ISP_MBC_LIP_RESET, "lip-reset" },
					       { ISP_MBC_SEND_SNS, "send-sns" },
					       { ISP_MBC_LOGIN_FABRIC_PORT, "login-fabric-port" },
					       { ISP_MBC_SEND_CHANGE_REQUEST, "change-request" },
					       { ISP_MBC_LOGOUT_FABRIC_PORT, "logout-fabric-port" },
					       { ISP_MBC_LIP_FULL_LOGIN, "lip-full-login" },
					       { ISP_MBC_LOGIN_LOOP_PORT, "login-loop-port" },
					       { ISP_MBC_GET_ID_LIST, "get-id-list" },
					       { ISP_MBC_LUN_RESET, "lun-reset" }),
			      __entry->code, __entry->mb[0], __entry->mb[1],
			      __entry->mb[2], __entry->mb[3], __entry->ret)
);

DEFINE_EVENT(isp_mbox, isp_mbox_send,
	     TP_PROTO(const struct isp_hw *hw, const u16 *mb, u16 code, int ret),
	     TP_ARGS(hw, mb, code, ret));

DEFINE_EVENT(isp_mbox, isp_mbox_done,
	     TP_PROTO(const struct isp_hw *hw, const u16 *mb, u16 code, int ret),
	     TP_ARGS(hw, mb, code, ret));

DEFINE_EVENT_PRINT(isp_mbox, isp_event,
		   TP_PROTO(const struct isp_hw *hw, const u16 *mb, u16 code, int ret),
		   TP_ARGS(hw, mb, code, ret),
		   TP_printk("host%u %s (%04x) mailboxes %04x %04x %04x",
			     __entry->host,
			     __print_symbolic(__entry->code,
					      { ISP_AEN_RESET, "reset" },
					      { ISP_AEN_SYSTEM_ERROR, "system-error" },
					      { ISP_AEN_REQ_TRANSFER_ERROR, "request-error" },
					      { ISP_AEN_RSP_TRANSFER_ERROR, "response-error" },
					      { ISP_AEN_LIP, "lip" },
					      { ISP_AEN_LOOP_UP, "loop-up" },
					      { ISP_AEN_LOOP_DOWN, "loop-down" },
					      { ISP_AEN_LIP_RESET, "lip-reset" },
					      { ISP_AEN_PORTS_CHANGED, "ports-changed" },
					      { ISP_AEN_STATE_CHANGE, "state-change" },
					      { ISP_AEN_LIP_F8, "lip-f8" },
					      { ISP_AEN_LOOP_INIT_ERROR, "loop-init-error" },
					      { ISP_AEN_POINT_TO_POINT, "point-to-point" },
					      { ISP_AEN_CONNECTION_CHANGE, "connection-change" },
					      { ISP_AEN_RESPONSE, "response" }),
			     __entry->code, __entry->mb[1], __entry->mb[2],
			     __entry->mb[3])
);

/* The state of the adapter, of the link or of a remote port has changed. */
DECLARE_EVENT_CLASS(isp_step,
		    TP_PROTO(const struct isp_hw *hw, const struct isp_port_info *port,
			     int from, int to),
		    TP_ARGS(hw, port, from, to),
		    TP_STRUCT__entry(__field(u64, wwpn)
				     __field(u32, port_id)
				     __field(u16, loop_id)
				     __field(u16, host)
				     __field(u8, from)
				     __field(u8, to)
		    ),
		    TP_fast_assign(__entry->wwpn = port ? port->wwpn : 0;
				   __entry->port_id = port ? port->port_id : 0;
				   __entry->loop_id = port ? port->loop_id : 0;
				   __entry->host = hw->host;
				   __entry->from = from;
				   __entry->to = to;
		    ),
		    TP_printk("host%u %s -> %s", __entry->host,
			      __print_symbolic(__entry->from,
					       { ISP_COLD, "cold" },
					       { ISP_STARTING, "starting" },
					       { ISP_UP, "up" },
					       { ISP_FAULT, "fault" },
					       { ISP_ASLEEP, "asleep" },
					       { ISP_DEAD, "dead" }),
			      __print_symbolic(__entry->to,
					       { ISP_COLD, "cold" },
					       { ISP_STARTING, "starting" },
					       { ISP_UP, "up" },
					       { ISP_FAULT, "fault" },
					       { ISP_ASLEEP, "asleep" },
					       { ISP_DEAD, "dead" }))
);

DEFINE_EVENT(isp_step, isp_adapter_state,
	     TP_PROTO(const struct isp_hw *hw, const struct isp_port_info *port,
		      int from, int to),
	     TP_ARGS(hw, port, from, to));

DEFINE_EVENT_PRINT(isp_step, isp_link_state,
		   TP_PROTO(const struct isp_hw *hw, const struct isp_port_info *port,
			    int from, int to),
		   TP_ARGS(hw, port, from, to),
		   TP_printk("host%u %s -> %s", __entry->host,
			     __print_symbolic(__entry->from,
					      { ISP_LINK_DOWN, "down" },
					      { ISP_LINK_INIT, "init" },
					      { ISP_LINK_READY, "ready" }),
			     __print_symbolic(__entry->to,
					      { ISP_LINK_DOWN, "down" },
					      { ISP_LINK_INIT, "init" },
					      { ISP_LINK_READY, "ready" }))
);

DEFINE_EVENT_PRINT(isp_step, isp_port_state,
		   TP_PROTO(const struct isp_hw *hw, const struct isp_port_info *port,
			    int from, int to),
		   TP_ARGS(hw, port, from, to),
		   TP_printk("host%u port %016llx port_id=%06x loop_id=%u %s -> %s",
			     __entry->host, __entry->wwpn, __entry->port_id,
			     __entry->loop_id,
			     __print_symbolic(__entry->from,
					      { ISP_PORT_NEW, "new" },
					      { ISP_PORT_ONLINE, "online" },
					      { ISP_PORT_LOST, "lost" }),
			     __print_symbolic(__entry->to,
					      { ISP_PORT_NEW, "new" },
					      { ISP_PORT_ONLINE, "online" },
					      { ISP_PORT_LOST, "lost" }))
);

#endif /* ISP_TRACE_H */

/* This must be outside the guard; Kbuild adds this folder to the path. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE isp_trace
#include <trace/define_trace.h>
