/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Fibre Channel world behind the port: what the cable goes to (a loop, a switch, another port), and
 * the ports that are reached through it.
 *
 * fc.c       the link: initialization, addresses, logins
 * fabric.c   the switch: its well-known ports, state change notifications
 * fcport.c   isp-port, the identity of a remote port
 * link.c     what happens while the card runs, on request: the link; link_port.c: its ports
 */
#ifndef QEMU_ISP_FC_H
#define QEMU_ISP_FC_H

#include "firmware.h"

#define ISP_LOOP_IDS 126		/* 0 to 125; 126 (AL_PA 00h) belongs to an FL_Port */
#define ISP_NO_LOOP_ID 0xffff

/* Well-known loop ids of a fabric; on a private loop nobody answers there. */
#define ISP_LOOP_ID_FL_PORT 0x7e
#define ISP_LOOP_ID_FABRIC_CONTROLLER 0x7f
#define ISP_LOOP_ID_NAME_SERVER 0x80

#define ISP_LOOP_ID_LAST_8BIT 0xff
#define ISP_LOOP_ID_LAST_2K 0x7ff

/* Well-known addresses (FC-FS). */
#define ISP_ID_MANAGEMENT_SERVER 0xfffffa
#define ISP_ID_NAME_SERVER 0xfffffc
#define ISP_ID_FABRIC_CONTROLLER 0xfffffd
#define ISP_ID_F_PORT 0xfffffe

/* What the cable goes to; the numbers are those of GET LOOP ID's mailbox 6. */
typedef enum IspTopology {
	ISP_TOPO_LOOP = 0,		/* private loop */
	ISP_TOPO_PUBLIC_LOOP = 1,	/* loop with an FL_Port */
	ISP_TOPO_P2P = 2,		/* another N_Port */
	ISP_TOPO_FABRIC = 3,		/* an F_Port */
} IspTopology;

/* What a target port does for a while, on request. */
typedef enum IspTrouble {
	ISP_TROUBLE_BUSY,		/* answers BUSY */
	ISP_TROUBLE_FULL,		/* answers TASK SET FULL */
	ISP_TROUBLE_MUTE,		/* answers nothing, task management included */
	ISP_TROUBLE_REFUSE,		/* refuses logins */
	ISP_TROUBLES
} IspTrouble;

#define ISP_NO_TARGET UINT32_MAX	/* IspPort.target of a port of the switch */

/* A remote port; its index is the scsi-id of the LUNs behind it. */
typedef struct IspPort {
	unsigned int target;
	bool configured;		/* an isp-port device gave it an identity */
	uint64_t wwpn, wwnn;
	bool on_loop;			/* public loop: sits on our loop, not behind the switch */
	bool fcp, ip;			/* FC-4 types that it has */
	bool is_target, is_initiator;	/* FCP roles */
	uint8_t al_pa;			/* on a loop */
	uint8_t hard_id;		/* ... and its loop id there */
	uint32_t port_id;
	uint16_t loop_id;		/* under which the firmware knows it; behind a switch: since a login */
	bool local;			/* loop id and login are the firmware's own business */
	bool present;			/* can be reached */
	bool away;			/* left (property link) although its LUNs are there */
	bool logged_in;			/* PLOGI */
	bool prli;			/* and an FCP image pair */
	bool bypassed;			/* LOOP PORT BYPASS */
	uint32_t executing;		/* commands that the target is working on */
	uint64_t trouble_until[ISP_TROUBLES];	/* virtual time; 0: none */
} IspPort;

/* What we registered at the name server. */
typedef struct IspRegistration {
	uint64_t wwnn;			/* 0: only what FLOGI said */
	uint8_t fc4[32];
	uint8_t fcp_features;
	char port_text[256], node_text[256];
} IspRegistration;

/* Ports of the switch itself. */
enum {
	ISP_SERVER_F_PORT,
	ISP_SERVER_CONTROLLER,
	ISP_SERVER_NAMES,
	ISP_SERVER_MANAGEMENT,
	ISP_SERVERS
};

/* Why the loop is initialized: decides what becomes of open exchanges and logins. */
typedef enum IspLip {
	ISP_LIP_INIT,			/* after INITIALIZE FIRMWARE */
	ISP_LIP_PLAIN,			/* INITIATE LIP */
	ISP_LIP_LOGIN,			/* LIP FULL LOGIN */
	ISP_LIP_RESET,			/* LIP RESET, BUS RESET: targets are reset */
} IspLip;

/* Connection option of the initialization control block. */
enum {
	ISP_CONNECT_LOOP = 0,
	ISP_CONNECT_P2P = 1,
	ISP_CONNECT_LOOP_FIRST = 2,
	ISP_CONNECT_P2P_FIRST = 3,
};

struct IspFabric {
	IspState *isp;
	IspTopology topology;
	IspPort ports[ISP_LOOP_IDS];
	IspPort servers[ISP_SERVERS];
	IspFwState state;
	uint16_t loop_id;		/* our own; ISP_NO_LOOP_ID: none acquired */
	uint8_t al_pa;
	uint32_t port_id;		/* our own, once the link is up */
	bool state_changes;		/* registered for RSCNs */
	IspRegistration registration;
	uint8_t rate;			/* 0: 1 Gb/s, 1: 2 Gb/s */
	uint8_t wanted_rate;		/* as rate, 2: negotiate */
	QEMUTimer *timer;
	QEMUTimer *plug_timer;		/* LUNs came or went */
	QEMUTimer *cable_timer;		/* the cable is plugged in again */
	bool cable_out;
	uint32_t bounces;		/* that are still to come */
	uint64_t bounce_ns;
	QEMUTimer *storm_timer;		/* RSCNs, one after the other */
	uint32_t storm_left, storm_next;
	uint64_t storm_port_id;		/* ISP_NOT_GIVEN: all ports in turn */
	unsigned int step;
	IspLip lip;
};

void isp_fc_realize(IspState *s, Error **errp);
void isp_fc_unrealize(IspState *s);
/* Forget logins and leave the loop (reset of chip or firmware). */
void isp_fc_reset(IspState *s);
/* Join the loop: firmware was initialized. */
void isp_fc_start(IspState *s);
void isp_fc_lip(IspState *s, IspLip kind);
/* Leave the loop and pass everything on (REQUEST OFFLINE MODE), or come back. */
void isp_fc_offline(IspState *s, bool offline);
/* Plug the cable in, or pull it. */
void isp_fc_cable(IspState *s, bool plugged);
/* A port behind a switch is gone, and nobody says so. */
void isp_fc_vanish(IspState *s, IspPort *port);
/* Ports may have come or gone: find out, and act on it. */
void isp_fc_look_again(IspState *s);
/* True while loop initialization is under way: requests wait. */
bool isp_fc_busy(IspState *s);
bool isp_fc_ready(IspState *s);
/* Port that the firmware knows under that loop id, logged in or not; NULL: none. */
IspPort *isp_fc_port(IspState *s, uint16_t loop_id);
/* Port that can be reached at that address, the switch's own included. */
IspPort *isp_fc_port_by_id(IspState *s, uint32_t port_id);
/* Calls @fn for each port that the firmware is logged in with. */
typedef void IspPortFn(const IspPort *port, void *opaque);
void isp_fc_each_login(IspState *s, IspPortFn *fn, void *opaque);
/* PLOGI and, if @prli, PRLI to @port; false: it did not answer. */
bool isp_fc_login(IspState *s, IspPort *port, bool prli);
/* LOGO: open exchanges end with "port logged out". */
void isp_fc_logout(IspState *s, IspPort *port);
/* AL_PAs in loop order, ours first, into @map (127 bytes); returns how many. */
unsigned int isp_fc_position_map(IspState *s, uint8_t *map);
uint8_t isp_fc_alpa(unsigned int loop_id);
int isp_fc_loop_id_of(uint8_t al_pa);	/* -1: no valid AL_PA */

/* ---- link.c ------------------------------------------------------------------------------------ */

void isp_link_class_init(ObjectClass *oc);
/* Timers of the two: the cable's next move, the next RSCN. */
void isp_link_cable_timer(void *opaque);
void isp_link_storm_timer(void *opaque);

/* ---- link_port.c -------------------------------------------------------------------------------- */

/* True while @port has that trouble; counts it. */
bool isp_port_trouble(IspState *s, const IspPort *port, IspTrouble trouble);
/* SCSI status with which @port answers everything just now; 0: none. */
uint8_t isp_port_status(IspState *s, const IspPort *port);

/* ---- fabric.c ---------------------------------------------------------------------------------- */

static inline bool isp_has_switch(const IspFabric *fc)
{
	return fc->topology == ISP_TOPO_PUBLIC_LOOP || fc->topology == ISP_TOPO_FABRIC;
}

static inline bool isp_is_loop(const IspFabric *fc)
{
	return fc->topology == ISP_TOPO_LOOP || fc->topology == ISP_TOPO_PUBLIC_LOOP;
}

void isp_fabric_init(IspFabric *fc);
/* FLOGI, and what the firmware does by itself after it. */
void isp_fabric_login(IspState *s);
/* The link to the switch is gone. */
void isp_fabric_lost(IspState *s);
/* @port came to the fabric or left it: tell us if we registered. */
void isp_fabric_state_change(IspState *s, const IspPort *port);
/* RSCN with this address format: 0 port, 1 area, 2 domain, 3 fabric. */
void isp_fabric_rscn(IspState *s, unsigned int format, uint32_t port_id);
/* Port name of the switch's port at which @port_id is attached. */
uint64_t isp_fabric_port_name(uint32_t port_id);

#endif
