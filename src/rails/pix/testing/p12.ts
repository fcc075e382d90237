/** A certificate and its key, made by OpenSSL 3 with the passphrase `senha`. */
export const P12 = Buffer.from(
  'MIIEDAIBAzCCA8IGCSqGSIb3DQEHAaCCA7MEggOvMIIDqzCCAmIGCSqGSIb3DQEHBqCCAlMwggJPAgEAMIICSAYJKoZIhvcN' +
    'AQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiUpXptjK5IowICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQME' +
    'ASoEECH43+wu57umYZvSju2bpsWAggHgWG7ipcrdB1CFw+rJobbblwCU2ZdKpjoAo02GyHE7yrxwOa7Kh4YFlre9Zj6Zr/bA' +
    'y+M1t518IbAAA8UHtMIw0oWiiyh/MRjwvbHlNspxLnxYSQffqo+p1qJ5CBt/7nmfCknnpK/kVdOADIxc2Ck+Z+4UnLC1wXsc' +
    'Btnrq55GQV8PtjKqI2c/lq03JrGl1F1lCisFTenePVYZndbyodXLl+VunpnNjrpyxoBiugcJ97uHVEM545EPpMmrN29BDBS6' +
    'CwjeUnj7Ax7MCnHKRQQh8n6e6hxAMGDAbp3+GCMO1LnBsuAp76FWM7WLAEresdMkXejp6SDhjEeDUWRgFq3vs3MCjgYKu74C' +
    'AQUv8YpD2/QzIhh1l7vYz0URxmKhxguE5w8qhJzF74MEgJts75rcD+ndF8rKhIs2ptcHw0voz8T0/GBoDhTVrZouXee7r9Rm' +
    'AGFG4LOoyz4JjYKLA7pKyBE6qSwnXDhtcFvcoFkRGSNChUB4IIDVJUmOk7C36lyDop0y9KgUEGcoPjFGRwVUvuwHPD9pcTUG' +
    'OGAzKHUSk+I/3w2RBMNNcdsWbhmWq8M4ZCnHVSY6ibrtUV+UIlZg9Wq5EqlwX31IslLUojQ0VDHuKq5r4kJ6LDpQUF1JdlJg' +
    'MIIBQQYJKoZIhvcNAQcBoIIBMgSCAS4wggEqMIIBJgYLKoZIhvcNAQwKAQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZI' +
    'hvcNAQUMMBwECPr1+qQ5fAbuAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQKeM/pZp7UTtQOJe91gyIiQSBkF78' +
    'fzCFTVlI2+QvBZd3RrAk0AZRzib5aIRw8KBviUPyIEPXDopFS9v0CWxwouIoOgq0xVOCNS2G4yBma/nIOEpRAB9Fbxri/zQo' +
    'jMIsRyQ6mlOoGwxzHFhW3L9F2tb1BrqDbDnrhzUbueSC9MeIh+sY8sIlnp2Wmel1RyTTUV3Qe39XrpxkJJR+4QG1oZ0fXzEl' +
    'MCMGCSqGSIb3DQEJFTEWBBQIROR2IU09ZP3KIDymVXXtOUW78jBBMDEwDQYJYIZIAWUDBAIBBQAEIPwUsLap2exuUjLWFzVM' +
    'NCgdkcofIg3tWjVgXnoec3kpBAj08fjRtY90dAICCAA=',
  'base64',
);

/** The file as settings have it. */
export const p12 = (file: Buffer, passphrase = 'senha') => ({ pfx: file.toString('base64'), passphrase });
