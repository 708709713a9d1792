// SPDX-License-Identifier: GPL-2.0-only
/*
 * Floor 3: the interrupt handler.
 *
 * One message per call: the line is level-triggered, so another message calls
 * again, and the common case gets by without a further read of the status.
 */
#include <linux/pci.h>

#include "isp_queue.h"

/*
 * So many interrupts in a row that brought nothing are taken for a broken
 * card, which would keep a CPU busy for ever. A few are in order: a response
 * interrupt whose entries the one before has already dealt with.
 */
#define ISP_USELESS_MAX		1000

static noinline void intr_useless(struct isp_queue *q, u32 intr)
{
	if (q->useless_since != q->drains) {
		q->useless_since = q->drains;
		q->useless = 0;
	}
	if (++q->useless == ISP_USELESS_MAX)
		isp_hw_fault(q->hw, "card interrupts without a reason (kind %u, %04xh)",
			     ISP_INTR_KIND(intr), ISP_INTR_MB0(intr));
}

static void intr_gone(struct isp_hw *hw)
{
	if (isp_hw_check_gone(hw))
		isp_hw_fault(hw, "card is gone");
	else
		isp_hw_fault(hw, "registers of the card read as all ones");
}

static bool intr_async(struct isp_queue *q, u16 mb0)
{
	struct isp_hw *hw = q->hw;
	u16 mb[4] = { mb0 };
	unsigned int n;

	for (n = 1; n < ARRAY_SIZE(mb); n++)
		mb[n] = hw->chip->mbox_read(hw, n);
	return !isp_async_event(hw, mb) || isp_queue_process(q);
}

static bool intr_other(struct isp_queue *q, u32 intr)
{
	struct isp_hw *hw = q->hw;
	u16 mb0 = ISP_INTR_MB0(intr);

	switch (ISP_INTR_KIND(intr)) {
	case ISP_INTR_MBOX:
		return isp_mbox_irq(hw, mb0);
	case ISP_INTR_ASYNC:
		return intr_async(q, mb0);
	case ISP_INTR_PAUSED:
		isp_hw_fault(hw, "RISC has stopped, parity error? (HCCR %04xh)",
			     mb0);
		return true;
	case ISP_INTR_GONE:
		intr_gone(hw);
		return true;
	default:
		return false;
	}
}

/*
 * Other messages than that there are responses. Not inlined, so that the
 * handler's frame holds no more than those need.
 */
static noinline irqreturn_t intr_message(struct isp_queue *q, u32 intr)
{
	if (ISP_INTR_KIND(intr) == ISP_INTR_NONE)
		return IRQ_NONE;
	if (intr_other(q, intr))
		q->useless = 0;
	else
		intr_useless(q, intr);
	/* In a quiet time, the message may have taken a response's place. */
	isp_queue_poll(q);
	q->chip->intr_ack(q->hw, ISP_INTR_KIND(intr));
	return IRQ_HANDLED;
}

/**
 * isp_intr_handler() - interrupt handler
 * @irq: line
 * @data: struct isp_queue
 *
 * Return: whether the interrupt was ours.
 */
irqreturn_t isp_intr_handler(int irq, void *data)
{
	struct isp_queue *q = data;
	struct isp_hw *hw = q->hw;
	u32 intr;

	/* A chip in reset must not be read. */
	if (unlikely(!test_bit(ISP_HW_INTR, &hw->flags)))
		return IRQ_NONE;
	intr = q->chip->intr_read(hw);
	if (unlikely(ISP_INTR_KIND(intr) != ISP_INTR_RESPONSE))
		return intr_message(q, intr);
	if (unlikely(!isp_queue_process(q)))
		intr_useless(q, ISP_INTR(ISP_INTR_RESPONSE, 0));
	isp_wr(hw, q->chip->rsp_ack, q->chip->rsp_ack_val);
	return IRQ_HANDLED;
}
