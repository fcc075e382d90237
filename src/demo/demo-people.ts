import type { PixKeyType } from '#domain/withdrawals/pix-key.ts';

/** A customer of the demo merchant. */
export type DemoCustomer = { name: string; email: string; document: string | null };

/**
 * Invented people. Their addresses are of a domain that can't be registered (RFC 2606); the CPFs
 * are those that documentation uses, and most customers give none.
 */
export const CUSTOMERS: readonly DemoCustomer[] = [
  { name: 'Ana Beatriz Souza', email: 'ana.souza@cliente.example', document: '11144477735' },
  { name: 'João Pedro Almeida', email: 'joao.almeida@cliente.example', document: null },
  { name: 'Camila Ferreira', email: 'camila.ferreira@cliente.example', document: '52998224725' },
  { name: 'Rafael Nogueira', email: 'rafael.nogueira@cliente.example', document: null },
  { name: 'Luciana Prado', email: 'luciana.prado@cliente.example', document: null },
  { name: 'Carlos Eduardo Lima', email: 'carlos.lima@cliente.example', document: '12345678909' },
  { name: 'Fernanda Rocha', email: 'fernanda.rocha@cliente.example', document: null },
  { name: 'Marcos Vinícius Teixeira', email: 'marcos.teixeira@cliente.example', document: null },
  { name: 'Juliana Castro', email: 'juliana.castro@cliente.example', document: '98765432100' },
  { name: 'Antônio Carlos Ribeiro', email: 'antonio.ribeiro@cliente.example', document: null },
  { name: 'Patrícia Moura', email: 'patricia.moura@cliente.example', document: null },
  { name: 'Bruno Cardoso', email: 'bruno.cardoso@cliente.example', document: null },
  { name: 'Helena Martins', email: 'helena.martins@cliente.example', document: null },
  { name: 'Thiago Barbosa', email: 'thiago.barbosa@cliente.example', document: null },
  { name: 'Mariana Duarte', email: 'mariana.duarte@cliente.example', document: null },
  { name: 'Gustavo Henrique Pires', email: 'gustavo.pires@cliente.example', document: null },
  { name: 'Renata Figueiredo', email: 'renata.figueiredo@cliente.example', document: null },
  { name: 'Paulo Sérgio Monteiro', email: 'paulo.monteiro@cliente.example', document: null },
  { name: 'Isabela Conceição dos Santos', email: 'isabela.santos@cliente.example', document: null },
  { name: 'Diego Azevedo', email: 'diego.azevedo@cliente.example', document: null },
];

/** The merchant's products. Every price ends in a zero. */
export const PRODUCTS: readonly { name: string; centavos: bigint }[] = [
  { name: 'Camiseta azul-marinho', centavos: 59_90n },
  { name: 'Caneca esmaltada', centavos: 39_90n },
  { name: 'Caderno pautado', centavos: 28_50n },
  { name: 'Mochila de lona', centavos: 189_90n },
  { name: 'Luminária de mesa', centavos: 149_00n },
  { name: 'Jogo de toalhas', centavos: 119_90n },
  { name: 'Almofada bordada', centavos: 74_90n },
  { name: 'Garrafa térmica', centavos: 98_00n },
  { name: 'Jaqueta jeans', centavos: 249_90n },
  { name: 'Tênis casual', centavos: 229_00n },
  { name: 'Cesta de presente', centavos: 320_00n },
  { name: 'Cartão-presente', centavos: 100_00n },
];

/** The merchant's payees: keys of the documentation of DICT and of the Receita Federal. */
export const PAYEES: readonly { pixKey: string; pixKeyType: PixKeyType; description: string }[] = [
  { pixKey: 'financeiro@malhas-do-sul.example', pixKeyType: 'email', description: 'Malhas do Sul, duplicata' },
  { pixKey: '11222333000181', pixKeyType: 'cnpj', description: 'Transportadora, fretes da semana' },
  { pixKey: '123e4567-e89b-12d3-a456-426655440000', pixKeyType: 'evp', description: 'Aluguel do ponto' },
  { pixKey: 'atelie@ceramica-azul.example', pixKeyType: 'email', description: 'Ateliê de cerâmica' },
];

/** The addresses are the examples of EIP-55. */
export const WALLETS: readonly string[] = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
];
