// A merchant's program that knows nothing but the OpenAPI document: it charges, waits until the
// charge is paid, reads it everywhere, withdraws, and gives a part back.
// Usage: main-flow BASE_URL API_KEY. Prints one line of JSON a step; whoever runs it pays the charge.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"trilho.example/main-flow/api"
)

const (
	wait  = 20 * time.Second
	pause = 50 * time.Millisecond
)

var ctx = context.Background()

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(baseURL, apiKey string) error {
	withKey := api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-api-key", apiKey)
		return nil
	})
	trilho, err := api.NewClientWithResponses(baseURL, withKey)
	if err != nil {
		return err
	}
	beginning := time.Now().Add(-time.Minute)

	charged, err := trilho.CreatePixChargeWithResponse(ctx,
		&api.CreatePixChargeParams{IdempotencyKey: to("pedido-1042-go")},
		api.CreatePixChargeBody{Amount: 131072.01, CustomerName: to("Maria da Silva"), Description: to("Pedido 1042")})
	if err != nil {
		return err
	}
	if charged.JSON200 == nil {
		return unexpected(charged)
	}
	charge := charged.JSON200.Data
	id := charge.TransactionId
	show("charged", fields{"transactionId": id, "amount": charge.Amount, "code": charge.PaymentData.QrCode})

	paid, err := until(func() (*api.PixTransaction, error) {
		params := &api.GetTransactionStatusParams{Type: api.PixTransactionTypePixIn}
		answer, err := trilho.GetTransactionStatusWithResponse(ctx, id, params)
		if err != nil {
			return nil, err
		}
		if answer.JSON200 == nil {
			return nil, unexpected(answer)
		}
		if answer.JSON200.Data.PaidAt == nil {
			return nil, nil
		}
		return &answer.JSON200.Data, nil
	})
	if err != nil {
		return err
	}
	show("paid", fields{"status": paid.Status, "amount": paid.Amount, "fees": paid.AmountFees})

	balance, err := trilho.GetBalanceWithResponse(ctx)
	if err != nil {
		return err
	}
	if balance.JSON200 == nil {
		return unexpected(balance)
	}
	show("balance", fields{"available": balance.JSON200.Data.AvailableBalance})

	withdrawn, err := trilho.CreatePixWithdrawalWithResponse(ctx, nil,
		api.CreatePixWithdrawalBody{Amount: 50, PixKey: "11987654321", PixKeyType: api.PixKeyTypePHONE})
	if err != nil {
		return err
	}
	if withdrawn.JSON200 == nil {
		return unexpected(withdrawn)
	}
	withdrawal := withdrawn.JSON200.Data
	show("withdrawn", fields{
		"transactionId": withdrawal.TransactionId, "total": withdrawal.AmountTotal, "key": withdrawal.PixKey,
	})

	var since api.InstantOrDate
	if err := since.FromInstantOrDate0(beginning); err != nil {
		return err
	}
	listed, err := trilho.ListTransactionsWithResponse(ctx, &api.ListTransactionsParams{
		Type:  &[]api.TransactionType{api.TransactionTypePixIn, api.TransactionTypePixOut},
		From:  &since,
		Limit: to(10),
	})
	if err != nil {
		return err
	}
	if listed.JSON200 == nil {
		return unexpected(listed)
	}
	amounts := fields{}
	for _, transaction := range listed.JSON200.Data {
		amounts[string(transaction.Type)] = transaction.Amount
	}
	show("listed", fields{"amounts": amounts, "more": listed.JSON200.NextCursor != nil})

	refunded, err := trilho.RefundTransactionWithResponse(ctx, id, nil, api.RefundTransactionBody{Amount: to(1072.01)})
	if err != nil {
		return err
	}
	if refunded.JSON200 == nil {
		return unexpected(refunded)
	}
	show("refunded", fields{"amount": refunded.JSON200.Data.Amount, "status": refunded.JSON200.Data.Status})

	detail, err := until(func() (*api.Transaction, error) {
		answer, err := trilho.GetTransactionWithResponse(ctx, id)
		if err != nil {
			return nil, err
		}
		if answer.JSON200 == nil {
			return nil, unexpected(answer)
		}
		for _, refund := range answer.JSON200.Data.Refunds {
			if refund.Status == api.TransactionRefundStatusPending {
				return nil, nil
			}
		}
		return &answer.JSON200.Data, nil
	})
	if err != nil {
		return err
	}
	history := []string{}
	for _, item := range detail.History {
		history = append(history, string(item.Event))
	}
	show("read", fields{"amount": detail.Amount, "refunded": detail.RefundedAmount, "history": history})

	if err := readEvent(trilho, id.String()); err != nil {
		return err
	}

	refused, err := trilho.CreatePixWithdrawalWithResponse(ctx, nil,
		api.CreatePixWithdrawalBody{Amount: 1e6, PixKey: "1", PixKeyType: api.PixKeyTypeCPF})
	if err != nil {
		return err
	}
	if refused.JSON400 == nil {
		return unexpected(refused)
	}
	show("refused", fields{
		"status": refused.StatusCode(), "error": refused.JSON400.Error, "code": refused.JSON400.Code,
	})
	return nil
}

// readEvent reads the body that a webhook about the payment has.
func readEvent(trilho *api.ClientWithResponses, transactionID string) error {
	events, err := trilho.ListEventsWithResponse(ctx, &api.ListEventsParams{
		TransactionId: &transactionID,
		Type:          &[]api.EventType{"pix_in.paid"},
	})
	if err != nil {
		return err
	}
	if events.JSON200 == nil || len(events.JSON200.Data) != 1 {
		return unexpected(events)
	}
	event, err := trilho.GetEventWithResponse(ctx, events.JSON200.Data[0].EventId)
	if err != nil {
		return err
	}
	if event.JSON200 == nil {
		return unexpected(event)
	}
	var body api.WebhookEvent
	if err := json.Unmarshal([]byte(event.JSON200.Data.Body), &body); err != nil {
		return err
	}
	value, err := body.ValueByDiscriminator()
	if err != nil {
		return err
	}
	paid, ok := value.(api.PixInEvent)
	if !ok {
		return fmt.Errorf("the event is a %T", value)
	}
	show("event", fields{"type": paid.Type, "amount": paid.Data.Amount})
	return nil
}

type fields map[string]any

func show(step string, values fields) {
	values["step"] = step
	line, err := json.Marshal(values)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}

type answer interface {
	StatusCode() int
	GetBody() []byte
}

func unexpected(got answer) error {
	return fmt.Errorf("an answer with status %d: %s", got.StatusCode(), got.GetBody())
}

// until looks until there is something.
func until[T any](look func() (*T, error)) (*T, error) {
	for deadline := time.Now().Add(wait); time.Now().Before(deadline); time.Sleep(pause) {
		if found, err := look(); found != nil || err != nil {
			return found, err
		}
	}
	return nil, fmt.Errorf("it did not happen in %s", wait)
}

func to[T any](value T) *T {
	return &value
}
