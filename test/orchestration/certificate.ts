import { createPrivateKey } from 'node:crypto';

/** A certificate for `api.test`, signed by itself and good for nothing else, until 2120. */
export const cert = `-----BEGIN CERTIFICATE-----
MIIBXzCCAQSgAwIBAgIBATAKBggqhkjOPQQDAjATMREwDwYDVQQDDAhhcGkudGVz
dDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowEzERMA8GA1UEAwwI
YXBpLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQsoHYKj+V09tQZKnYo
AEP++7jBccvss1I49w3eafEMwK/AhxmC2exA6xUd+55ebtub475xU3GrCUVWViso
/OMLo0cwRTATBgNVHREEDDAKgghhcGkudGVzdDAPBgNVHRMBAf8EBTADAQH/MB0G
A1UdDgQWBBSerUoHf2p1NKc5sCZXaBBzzjc8+TAKBggqhkjOPQQDAgNJADBGAiEA
7SOhn5Xd7gST3KFW6ngMPVC7zLDdmI8S2DHjuGzMflwCIQDYupOR9jTZaOnb9OKI
iXHklf6pPLkqadt+bnzdXKAYyg==
-----END CERTIFICATE-----`;

export const key = createPrivateKey({
  format: 'jwk',
  key: {
    kty: 'EC',
    crv: 'P-256',
    x: 'LKB2Co_ldPbUGSp2KABD_vu4wXHL7LNSOPcN3mnxDMA',
    y: 'r8CHGYLZ7EDrFR37nl5u25vjvnFTcasJRVZWKyj84ws',
    d: 'o_1RYIC9z11YhM3fY0pyAUm0WIaCWouW9QfLxD4PvCA',
  },
}).export({ type: 'pkcs8', format: 'pem' });
