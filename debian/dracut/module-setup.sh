#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# dracut: the driver, its firmware, its parameters, and the choice which cards are its own (also in an image that is not
# only for this host, where /etc/modprobe.d is left out otherwise). qla2xxx as well, which has the cards when this driver
# has not, and would be left out of an image only for a host whose root disk is behind this driver.

check()
{
	return 0
}

installkernel()
{
	hostonly='' instmods qla_isp qla2xxx
}

install()
{
	inst_multiple -o /usr/lib/modprobe.d/qla_isp-cards.conf /etc/modprobe.d/qla_isp-cards.conf \
		/etc/modprobe.d/qla_isp.conf
}
