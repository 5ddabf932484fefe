#!/bin/sh
# install-jail.sh: run once, as root, on the execution (jail) server: packages, and the kit built in
# /opt/matmul, so that an evaluation takes seconds. The hidden cases stay with the activity.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
[ -f "$here/kit.tar.gz" ] || cat "$here"/kit.tar.gz.b64.* | base64 -d >"$here/kit.tar.gz"
# shellcheck disable=SC1091,SC2154 # kit.sh lies beside this script, and sets lab, file and why
. "$here/kit.sh"
kit_packages
kit_ready /opt/matmul
rm -rf /opt/matmul/matmul-lab-kit/solutions
