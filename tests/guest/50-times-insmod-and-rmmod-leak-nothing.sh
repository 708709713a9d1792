# shellcheck shell=bash
# insmod, all disks, rmmod, 50 times over: the module can always be removed, and no slab object, vmalloc
# area, page, interrupt or SCSI object is left behind by a round.
. /tests/lib/guest.sh

# Slab counts are exact only in caches with a debug option: others count what is free in a CPU's slab as used.
matches slub_debug= /proc/cmdline || fail "the scene has not booted with slub_debug="

# count_of GLOB...: how many files there are.
count_of()
{
	local file

	count=0
	for file; do
		[ ! -e "$file" ] || count=$((count + 1))
	done
}

# vmalloc: sets areas to how many areas of vmalloc() and ioremap() there are, and pages to the pages in them.
vmalloc()
{
	local line

	areas=0 pages=0
	while read -r line; do
		areas=$((areas + 1))
		[[ $line != *' pages='* ]] || line=${line#* pages=} pages=$((pages + ${line%% *}))
	done < /proc/vmallocinfo
}

# other_pages: sets pages to those that are neither free (a CPU has a list of its own), nor a process's, nor page
# cache or slab: DMA memory is among them.
other_pages()
{
	local name n more

	pages=0
	echo 1 > /proc/sys/vm/stat_refresh
	while read -r name n more; do
		case $name in
		managed) pages=$((pages + n)) ;;
		pages) pages=$((pages - ${more##* })) ;; # "pages free N"
		count: | nr_anon_pages | nr_file_pages | nr_slab_reclaimable | nr_slab_unreclaimable | \
			nr_page_table_pages) pages=$((pages - n)) ;;
		esac
	done < /proc/zoneinfo
}

# counts: sets now to what of the kernel's memory is in use, name and count.  Starts no process and keeps nothing
# in a file: both would take memory, and give it back when they like.
counts()
{
	local cache n count areas pages

	for cache in /sys/kernel/slab/*; do
		read -r n _ < "$cache/objects" && now[slab:${cache##*/}]=$n
	done
	# Interrupts, SCSI objects
	count_of /proc/irq/*
	now[interrupts]=$count
	count_of /sys/class/{scsi_host,scsi_device,fc_host,fc_remote_ports,fc_transport}/*
	now[scsi-objects]=$count
	vmalloc
	now[vmalloc-areas]=$areas
	now[vmalloc-pages]=$pages
	other_pages
	now[other-pages]=$((pages - now[vmalloc-pages]))
}

# look: sets least to the least of three looks.  Before each, what is kept for later use is dropped, and what waits
# for RCU (which dropping hurries up) gets its time.
look()
{
	local name
	declare -A now

	least=()
	for _ in 1 2 3; do
		echo 3 > /proc/sys/vm/drop_caches
		sleep 0.2
		echo 3 > /proc/sys/vm/drop_caches
		sleep 0.2
		counts
		for name in "${!now[@]}"; do
			[ "${least[$name]:-${now[$name]}}" -lt "${now[$name]}" ] || least[$name]=${now[$name]}
		done
	done
}

declare -A least seen
rmmod "$DRIVER" 2> /dev/null
for ((round = 1; round <= 50; round++)); do
	said=$(isp-load 2>&1) || fail "round $round: $said"
	read -r users < "/sys/module/$DRIVER/refcnt"
	expect "users of the module in round $round" "$users" 0
	said=$(isp-unload 2>&1) || fail "round $round: $said"
	[ $((round % 10)) -eq 0 ] || continue
	[ $round -ne 10 ] || look # the first look has a price of its own
	look
	for name in "${!least[@]}"; do
		seen[$name]+=" ${least[$name]}"
	done
done

# What each round leaves behind grows by ten from each look to the next; other parts of the system come and go, but
# not steadily.  Half of that is taken for it, since those may hide some.  What is not the same each time is shown.
bad=
for name in "${!seen[@]}"; do
	read -ra values <<< "${seen[$name]}"
	[ ${#values[@]} -eq 5 ] || continue # a cache that is not always there
	[ "${seen[$name]// ${values[0]}/}" = "" ] || echo "$name:${seen[$name]}"
	for ((n = 1; n < 5; n++)); do
		[ $((values[n] - values[n - 1])) -ge 5 ] || continue 2
	done
	bad+="${bad:+; }$name:${seen[$name]}"
done
[ -z "$bad" ] || fail "each round leaves something behind, after 10, 20, ... 50 of them: $bad"
