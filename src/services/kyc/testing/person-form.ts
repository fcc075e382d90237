/** The address of a verification's form, as it is typed. */
export const typedAddress = {
  zip: '01310-100',
  street: 'Avenida Paulista',
  number: '1000',
  complement: '',
  district: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
};

/** A verification's form of a person, as it is typed. */
export const typedPerson = {
  kind: 'person' as const,
  name: 'Maria da Silva',
  cpf: '390.533.447-05',
  born_on: '1990-02-28',
  occupation: 'Confeiteira',
  ...typedAddress,
};
