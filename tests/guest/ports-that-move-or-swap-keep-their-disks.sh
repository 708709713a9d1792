# shellcheck shell=bash
# A port gets another port id, two ports exchange theirs, a port leaves and returns: the disks keep their names and
# what they hold, while they are written to and verified.
. /tests/lib/guest.sh
. /tests/lib/fabric.sh
. /tests/lib/fio.sh
a=$(disk data) || fail "$a"
b=$(disk data2) || fail "$b"
port_a=$(port_of data)
port_b=$(port_of data2)
fio --name=a --filename="$a" --name=b --filename="$b" --direct=1 --ioengine=libaio --rw=randwrite --bs=4k \
	--iodepth=32 --size=24M --time_based --runtime=12 --verify=crc32c --verify_fatal=1 --do_verify=1 \
	> /tmp/fio.out 2>&1 &
pid=$!
sleep 2
card_link 'back=0@0x010a00'
sleep 2
card_link 'swap=0@1'
sleep 2
card_link 'gone=0'
sleep 1
card_link 'back=0@0x010100'
wait $pid || fail "$(cat /tmp/fio.out)"
expect "disk of the first port" "$(disk data)" "$a"
expect "disk of the second port" "$(disk data2)" "$b"
expect "first port" "$(port_of data)" "${port_a% *} 0x010100"
expect "second port" "$(port_of data2)" "${port_b% *} 0x010a00"
expect "lines about ports" "$(lines 'qla_isp.*: port ')" 5
