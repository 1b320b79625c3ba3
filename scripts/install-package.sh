#!/bin/sh
# Installs Debian packages as root: sh scripts/install-package.sh PACKAGE. What they bring as a service is neither started
# now nor at the next boot: tests start what they need by themselves, and a machine of somebody's gets no open port by it.
set -eu

policy="${DPKG_ROOT:-}/usr/sbin/policy-rc.d"
clusters="${DPKG_ROOT:-}/etc/postgresql-common/createcluster.d"
mark='# Put here by Sluice while it installs a package; may be removed afterwards.'
placed=''

finish() {
  for file in $placed; do rm -f "$file"; done
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

# A file of the machine's own stays as it is: whoever put it there has decided what may start.
place() {
  if [ -e "$1" ] && ! grep -qF "$mark" "$1"; then return; fi
  placed="$placed $1"
  printf '%s\n' "$2" "$mark" "$3" > "$1"
  chmod "$4" "$1"
}

place "$policy" '#!/bin/sh' 'exit 101' 755
mkdir -p "$clusters"
place "$clusters/sluice.conf" '' 'create_main_cluster = false' 644

before=$(ls "${DPKG_ROOT:-}/etc/init.d" 2> /dev/null || true)
export DEBIAN_FRONTEND=noninteractive
apt-get -qq install -y --no-install-recommends "$@" || {
  apt-get -qq update
  apt-get -qq install -y --no-install-recommends "$@"
}
for service in $(ls "${DPKG_ROOT:-}/etc/init.d" 2> /dev/null || true); do
  case " $(echo $before) " in *" $service "*) continue ;; esac
  update-rc.d "$service" disable || true
done
