# shellcheck shell=bash
# The statistics of a host count commands and data as they are, and begin anew when asked to.
. /tests/lib/guest.sh
. /tests/lib/sysfs.sh
n=$(host_of hba0) || fail "$n"
dev=$(disk data) || fail "$dev"
sg=$(sg data) || fail "$sg"
wait_for 30 quiesced || fail "disks do not come to rest"

# counted COMMAND...: run it, then set requests and MiB in and out, and requests without data, to what it added.
counted()
{
	local name was=()

	for name in "${names[@]}"; do
		was+=("$(statistic "$n" "$name")")
	done
	must "$@"
	for name in "${names[@]}"; do
		now=$(statistic "$n" "$name") || fail "$now"
		printf -v "${name#fcp_}" %d $((now - was[0]))
		was=("${was[@]:1}")
	done
}
names=(fcp_input_requests fcp_output_requests fcp_control_requests fcp_input_megabytes fcp_output_megabytes)

read -r begin _ < /proc/uptime
echo 1 > "/sys/class/fc_host/host$n/statistics/reset_statistics" || fail "reset_statistics is refused"
for name in "${names[@]}" link_failure_count invalid_crc_count; do
	expect "$name after reset_statistics" "$(statistic "$n" $name)" 0
done
seconds=$(statistic "$n" seconds_since_last_reset) || fail "$seconds"
read -r end _ < /proc/uptime
at_most "seconds since the reset" "$seconds" "$(awk -v a="$begin" -v b="$end" 'BEGIN { print b - a + 1 }')"

# To the byte: 512 bytes short of 2 MiB, then the 512 bytes.
counted dd if="$dev" of=/dev/null bs=64k count=31 iflag=direct
expect "31 reads of 64 KiB" "$input_requests $output_requests $input_megabytes $output_megabytes" "31 0 1 0"
counted dd if="$dev" of=/dev/null bs=65024 count=1 iflag=direct
expect "a read of 65024 bytes" "$input_requests $output_requests $input_megabytes $output_megabytes" "1 0 0 0"
counted dd if="$dev" of=/dev/null bs=512 count=1 iflag=direct
expect "a read of 512 bytes" "$input_requests $output_requests $input_megabytes $output_megabytes" "1 0 1 0"
counted dd if=/dev/zero of="$dev" bs=64k count=47 oflag=direct
expect "47 writes of 64 KiB" "$input_requests $output_requests $input_megabytes $output_megabytes" "0 47 0 2"
counted dd if=/dev/zero of="$dev" bs=65024 count=1 oflag=direct
expect "a write of 65024 bytes" "$input_requests $output_requests $input_megabytes $output_megabytes" "0 1 0 0"
counted dd if=/dev/zero of="$dev" bs=512 count=1 oflag=direct
expect "a write of 512 bytes" "$input_requests $output_requests $input_megabytes $output_megabytes" "0 1 0 1"
if [ "$DRIVER" = qla_isp ]; then
	counted sg_turs --number=20 "$sg"
	expect "commands without data" "$input_requests $output_requests $control_requests" "0 0 20"
	statistic "$n" lip_count > /dev/null
fi
for name in link_failure_count loss_of_sync_count loss_of_signal_count invalid_tx_word_count invalid_crc_count; do
	now=$(statistic "$n" $name) || fail "$now"
done
