import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ASSETS } from '#contract/operator/system.ts';
import { MARKET_NAMES } from '#panel/money/market-names.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { operatorApi } from './operator-api.tsx';

type Asset = (typeof ASSETS)[number];

/** The price of a coin on the markets, which are asked when an operator wants to know. */
export function MarketPrice() {
  const t = useTranslations('operator.system');
  const [asset, setAsset] = useState<Asset>('USDT');
  const [asked, setAsked] = useState<Asset | null>(null);
  return (
    <Section title={t('price')}>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={t('asset')}
          data={[...ASSETS]}
          value={asset}
          onChange={({ currentTarget: { value } }) => setAsset(ASSETS.find((one) => one === value) ?? 'USDT')}
        />
        <Button variant="default" onClick={() => setAsked(asset)}>
          {t('ask')}
        </Button>
      </Group>
      {asked && <Price asset={asked} />}
    </Section>
  );
}

function Price({ asset }: { asset: Asset }) {
  const t = useTranslations('operator.system');
  const formats = useFormats();
  const found = operatorApi.system.price.useQuery({ asset });
  const priceText = (reais: number) =>
    `R$\u00a0${formats.number(reais, { minimumFractionDigits: 2, maximumFractionDigits: 8 })}`;
  return (
    <QueryState query={found} skeleton={[80]}>
      {({ mode, price, sources, reason }) => (
        <>
          <Muted fz="xs">{t(mode === 'live' ? 'liveMarkets' : 'testMarkets')}</Muted>
          {price === null ? (
            <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
              {t('noPrice')} {reason}
            </Text>
          ) : (
            <Text fz="sm">
              {asset}: {priceText(price)} <Muted span>({t('median')})</Muted>
            </Text>
          )}
          {sources.length > 0 && (
            <DataTable
              folds="never"
              label={t('price')}
              rows={sources}
              keyOf={({ source }) => source}
              title={(name) => t(name)}
              columns={[
                { name: 'source', isHead: true, cell: ({ source }) => MARKET_NAMES[source] ?? source },
                { name: 'at', cell: ({ at }) => <When at={at} seconds /> },
                { name: 'value', isNumeric: true, cell: ({ price: asked }) => priceText(asked) },
              ]}
            />
          )}
        </>
      )}
    </QueryState>
  );
}
