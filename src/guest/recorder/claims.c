#include "recorder/claims.h"

#include "recorder/clock.h"
#include "recorder/thread.h"

bool dj_claim_begin(struct dj_claim *claim, int64_t from_ns)
{
    if (claim->working_ns != 0) {
        return false;
    }
    *claim = (struct dj_claim){.working_ns = from_ns};
    return true;
}

void dj_claim_add_rest(struct dj_claim *claim, int64_t begin_ns, int64_t end_ns)
{
    if (claim->working_ns == 0) {
        return;
    }
    if (begin_ns > claim->working_ns) {
        claim->worked_ns += begin_ns - claim->working_ns;
    }
    claim->working_ns = end_ns;
    claim->rested_ns += end_ns - begin_ns;
    if (claim->rested_ns > DJ_CLAIM_REST_MAX_NS) {
        *claim = (struct dj_claim){0};
    }
}

int64_t dj_claim_end(struct dj_claim *claim)
{
    int64_t worked_ns = claim->worked_ns;
    *claim = (struct dj_claim){0};
    return worked_ns;
}

bool dj_recorder_claim_work(int64_t since_ns)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    const struct dj_waits *waits = &thread->waits;
    int64_t from_ns = since_ns > 0 ? since_ns : thread->first_seen_ns;
    if (waits->swapped_ns > from_ns) {
        from_ns = waits->swapped_ns;
    }
    if (waits->woke_ns > from_ns) {
        from_ns = waits->woke_ns;
    }
    return dj_claim_begin(&thread->claim, from_ns);
}

struct dj_frame_transfer dj_recorder_transfer_frame(void)
{
    struct dj_recorder_thread *thread = &dj_recorder_thread;
    int64_t now_ns = dj_recorder_clock_ns();
    dj_thread_note_seen(thread, now_ns);
    struct dj_frame_transfer made = {
        .woke_ns = dj_waits_begin_frame(&thread->waits, thread->first_seen_ns),
        .claimed = thread->claim.working_ns != 0,
    };
    /* With a claim, the work starts at the end of the last rest. The time of
     * dj_waits_begin_frame() may be wrong, because the thread that ended the rest may not
     * start frames. */
    if (made.claimed) {
        made.woke_ns = thread->claim.working_ns;
    }
    made.worked_ns = dj_claim_end(&thread->claim);
    /* This does not call dj_waits_end_frame(), because that function marks the calling
     * thread as one that presents frames. A thread that transfers its frames does not
     * present them, but wakes a thread that does. */
    thread->waits.swapped_ns = now_ns;
    return made;
}

void dj_recorder_add_wait_before_swap(int64_t begin_ns)
{
    struct dj_frame_in_progress *frame = &dj_recorder_thread.frame;
    if (frame->entry_ns == 0) {
        frame->entry_ns = begin_ns;
    }
    frame->waited_ns += dj_recorder_clock_ns() - begin_ns;
}
