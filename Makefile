# SPDX-License-Identifier: GPL-2.0-only
# The whole command surface of qla_isp; `make help` lists it.

TOP    := $(CURDIR)
# Installed by a package, the sources lie where nobody builds.
BUILD  ?= $(if $(filter /usr/%,$(TOP)),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/qla-isp,$(TOP)/build)
KVER   ?= $(shell uname -r)
KDIR   ?= /lib/modules/$(KVER)/build
MODULE := drivers/scsi/qla_isp/qla_isp.ko
export TOP BUILD

# The kernel that virtual machines boot: the newest installed image whose headers are there too.
# Read when a recipe runs, since `make deps` may have installed it a moment ago.
VM_KVER = $(shell $(TOP)/tools/isp-vm --print-kernel)

.DEFAULT_GOAL := module
.PHONY: help module check-headers vm-module tools model firmware deps demo check check-quick \
	check-debug check-kernels check-packages check-rounds deb rpm bench bench-record shell install uninstall clean \
	distclean

help: ## list every target
	@echo 'qla_isp: a driver for QLogic ISP Fibre Channel HBAs, and a virtual card to run it on'
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo '  KVER=6.1.0-1-amd64   build for that installed kernel instead of the running one'
	@echo '  KDIR=/path           build against these kernel headers or this kernel tree'
	@echo '  C=1                  check with sparse while building'
	@echo '  W=1                  with more of the compiler'\''s warnings, and kernel-doc (which needs perl)'
	@echo '  TESTS="vm/* ..."     with make check: only these tests (see Documentation/testing.md)'

module: check-headers ## build qla_isp.ko for the running kernel (KVER=, KDIR= for others)
	$(MAKE) -C $(KDIR) M=$(TOP) modules

check-headers:
	@test -e $(KDIR)/Makefile || { \
		echo 'make: no kernel headers at $(KDIR): install them (Debian, Ubuntu: linux-headers-$(KVER); Fedora, RHEL: kernel-devel-$(KVER); SUSE: kernel-default-devel; Arch: linux-headers), or name others with KDIR= or KVER=' >&2; \
		exit 1; }

# A copy of the sources per kernel, so that several kernels' builds never meet.
vm-module: ## build qla_isp.ko (and isp_floor.ko) for the kernel that the virtual machines boot
	@kver=$(VM_KVER) && test -n "$$kver" && dir=$(BUILD)/modules/$$kver && mkdir -p $$dir/src && \
	cp -pru Kbuild drivers $$dir/src/ && cp -pru tools/isp-bench/floor $$dir/ && \
	for kdir in /lib/modules/$$kver/build $(BUILD)/kernels/$$kver/lib/modules/$$kver/build; do \
		test ! -e $$kdir/Makefile || break; done && \
	$(MAKE) -s -C $$kdir M=$$dir/src W=$(or $(W),1) CONFIG_DEBUG_INFO_BTF_MODULES= modules && \
	$(MAKE) -s -C $$kdir M=$$dir/floor W=$(or $(W),1) CONFIG_DEBUG_INFO_BTF_MODULES= modules && \
	cp -pu $$dir/src/$(MODULE) $$dir/floor/isp_floor.ko $$dir/

tools: ## build isp-fw, the firmware image tool, and isp-bench's programs
	@$(MAKE) -s -C tools/isp-fw O=$(BUILD)
	@$(MAKE) -s -C tools/isp-bench O=$(BUILD)

model: ## build the virtual card for the installed QEMU, and isp-bench's plugin for it
	@$(MAKE) -s -C tools/qemu-isp
	@$(MAKE) -s -C tools/isp-bench O=$(BUILD) plugin

firmware: tools ## get the vendor's firmware into build/firmware (stub images where it can't be had)
	@firmware/get

DEPS = build vm model check
deps: ## install the Debian packages that demo and check need (as root)
	@tools/deps $(DEPS)

# In this order: packages first, then what is made from them.
everything: deps
	@test -d $(BUILD)/firmware || echo 'make: getting the firmware'
	@$(MAKE) -s firmware
	@test -e $(BUILD)/qemu-isp/qemu-isp.so || echo 'make: building the virtual card; QEMU'\''s headers take some minutes the first time'
	@$(MAKE) -s model
	@test -d $(BUILD)/modules || echo 'make: building the driver'
	@$(MAKE) -s vm-module
	@$(MAKE) -s tools
.PHONY: everything

demo: ## install, build, boot a virtual machine with both drivers and show what they do
	@$(MAKE) -s everything DEPS='build vm model'
	@tests/demo

check: ## install, build, run every test; last line: N passed, N failed, N skipped
	@$(MAKE) -s everything
	@tests/run $(TESTS)

check-quick: ## like check, but host tests and one boot per driver only: minutes
	@$(MAKE) -s everything
	@tests/run @tests/sets/quick

# The kernel takes some 15 minutes to build the first time.
check-debug: ## run VM tests on a kernel with KASAN, lockdep, kmemleak, ... and behind an IOMMU
	@$(MAKE) -s everything DEPS='build vm model check debug'
	@kver=$$(tests/debug/build-kernel) && $(MAKE) -s vm-module VM_KVER=$$kver && \
	TEST_KERNEL=$$kver tests/run $(or $(TESTS),@tests/sets/debug)

# 5.10, 6.1, 6.12, testing, backports; see Documentation/kernels.md.
check-kernels: ## run VM tests on the kernels of five Debian releases (KERNELS="5.10 6.12": only those)
	@$(MAKE) -s everything DEPS='build vm model check chroot'
	@tests/check-kernels $(KERNELS)

deb: ## build the Debian packages into build/deb: the driver for DKMS, and the tools
	@tools/deps packages
	@tools/package deb

rpm: ## build the RPM of the driver for DKMS into build/rpm, where rpmbuild is installed
	@tools/package rpm

# Half an hour.
check-rounds: ## hot-unplug, suspend, rescans and kexec in the middle of I/O, 20 rounds each (ROUNDS=N)
	@$(MAKE) -s everything
	@ROUNDS=$(or $(ROUNDS),20) tests/run $(or $(TESTS),@tests/sets/rounds)

# Debian 12 and 13 are put into build/chroots the first time: some 10 minutes, 3 GB.
check-packages: ## build the packages, try them in chroots of Debian 12 and 13 (as root)
	@$(MAKE) -s deps DEPS='build chroot packages'
	@tools/package deb
	@CHECK=packages tests/run $(or $(TESTS),@tests/sets/packages)

bench: ## measure qla_isp beside qla2xxx in virtual time: tools/isp-bench, suite quick
	@$(MAKE) -s everything DEPS='build vm model'
	@tools/isp-bench/isp-bench run --suite quick

bench-record: ## keep what the hot path costs now as what make check holds it against (tests/figures)
	@$(MAKE) -s everything DEPS='build vm model'
	@for chip in isp2200 isp2312; do dir=$(BUILD)/isp-bench/results/$$chip && \
		tools/isp-bench/isp-bench run --hba $$chip --driver 'qla_isp poll_queues=1' --no-floor --out $$dir && \
		tools/isp-bench/isp-bench record $$dir/results.json tests/figures/$$chip.json || exit; done

shell: ## a root shell in a virtual machine with an ISP2312, 4 targets x 2 LUNs
	@$(MAKE) -s everything DEPS='build vm model'
	@tools/isp-vm --hba isp2312 --targets 4 --luns 2 --shell

install: module ## install qla_isp.ko for the running kernel (as root); DKMS: see Documentation/install.md
	$(MAKE) -C $(KDIR) M=$(TOP) modules_install
	depmod $(KVER)

uninstall: ## remove an installed qla_isp.ko again (as root)
	find /lib/modules/$(KVER) -name 'qla_isp.ko*' -delete
	depmod $(KVER)

clean: ## remove what `make` left beside the sources
	@find drivers -name '*.o' -o -name '*.ko' -o -name '*.mod' -o -name '*.mod.c' -o -name '.*.cmd' \
		-o -name modules.order | xargs -r rm -f
	@rm -f Module.symvers modules.order .Module.symvers.cmd .modules.order.cmd

distclean: clean ## remove build/ too
	@rm -rf $(BUILD)
