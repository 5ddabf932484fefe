#!/bin/sh
# setup.sh: run once by Gradescope, as root, while it builds the autograder's image.
set -eu
here=/autograder/source
# shellcheck disable=SC1091,SC2154 # kit.sh lies beside this script, and sets lab, file and why
. "$here/kit.sh"
kit_packages
kit_ready /autograder/kit
# Students' code runs on an account that cannot read these.
chmod -R go-rwx "$here"
