#!/bin/sh
# Makes the certificates of the tests, valid from 2020 to 2120 whatever the clock says. They protect nothing.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/index"
cat >"$work/config" <<EOF
[ca]
default_ca = authority
[authority]
database = $work/index
new_certs_dir = $work
rand_serial = yes
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = req
EOF

# sign NAME END EXTENSION [issuer options of openssl ca]
sign() {
  name=$1 end=$2 extension=$3
  shift 3
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$name-key.pem"
  openssl req -new -config "$work/config" -key "$name-key.pem" -subj "/CN=$name" -addext "$extension" -out "$work/request"
  openssl ca -batch -notext -config "$work/config" -in "$work/request" -out "$name.pem" \
    -startdate 20200101000000Z -enddate "$end" "$@"
}

by_authority='-cert authority.pem -keyfile authority-key.pem'
sign authority 21200101000000Z 'basicConstraints=critical,CA:TRUE' -selfsign -keyfile authority-key.pem
sign localhost 21200101000000Z 'subjectAltName=DNS:localhost,DNS:webhook.test,IP:127.0.0.1,IP:::1' $by_authority
sign renewed 21200101000000Z 'subjectAltName=DNS:localhost' $by_authority
sign elsewhere 21200101000000Z 'subjectAltName=DNS:elsewhere.test' $by_authority
sign expired 20200102000000Z 'subjectAltName=DNS:localhost,DNS:webhook.test' $by_authority
rm authority-key.pem
