#!/usr/bin/env bash
# Boots a systemd that sees and touches nothing of this machine's own: boot.sh CLONE FOLDER, in new namespaces and as root.
# FOLDER has `system/`, the units; `cay.target` of them is started. Repositories are below /srv.
set -euo pipefail
clone=$1 folder=$2
mount --make-rprivate /
umount -l /proc
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
umount -lR /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
for place in /var/lib /opt /srv /mnt /etc/systemd/system; do mount -t tmpfs -o mode=0755 tmpfs "$place"; done

for file in passwd group; do cp "/etc/$file" "/run/$file"; done
echo 'cay:x:990:990::/var/lib/cay:/usr/sbin/nologin' >> /run/passwd
echo 'cay:x:990:' >> /run/group
for file in passwd group; do mount --bind "/run/$file" "/etc/$file"; done

mkdir -p /opt/cay/{clone,node_modules/.bin}
mount --bind "$clone" /opt/cay/clone
ln -s ../../clone/bin/cay.js /opt/cay/node_modules/.bin/cay
mkdir /srv/work
echo 'of the repository' > /srv/work/notes.txt
chown -R cay:cay /srv/work
cp -r "$folder"/system/* /etc/systemd/system/
mount --bind "$folder" /mnt

touch /mnt/mounted
export container=other
exec /lib/systemd/systemd --system --unit=cay.target --log-target=console
