#include "triage/binder.h"

#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "trace/event.h"
#include "triage/group.h"

/*
 * binder_transaction: transaction=87 dest_node=52 dest_proc=200 dest_thread=0 reply=0 …
 * binder_transaction_received: transaction=87          by the thread that serves it
 * binder_transaction: transaction=88 … dest_thread=100 reply=1 …   by the same
 *
 * A reply does not say what it answers: what its sender was last asked by the one that it
 * goes to. One-way transactions (flags 0x1) are never answered: where flags are told
 * they are none of the calls, and else seldom taken for one.
 */

/* So many that were never answered lie between a reply and what it answers, at most. */
enum { LOOK_BACK = 64, NONE = -1 };

struct asked {
    struct dj_triage_call call;
    int64_t id;
    int32_t to_tid; /* 0: any thread */
    int64_t to_pid;
    int32_t before; /* what its client asked before; NONE: nothing */
    int32_t below;  /* what its server had taken before */
};

struct book {
    struct dj_triage_index *index;
    struct asked *all; /* by time */
    size_t count;
    uint32_t *by_id;
    int32_t *last_asked; /* of each thread */
    int32_t *last_taken;
};

static bool is_request(const struct dj_trace_mark *mark)
{
    return mark->kind == DJ_EVENT_BINDER && mark->state == 0 && mark->tid > 0;
}

static void open_book(struct book *book)
{
    const struct dj_trace *trace = book->index->trace;
    size_t threads = book->index->thread_count + 1;
    size_t count = 0;
    for (size_t i = 0; i < trace->mark_count; i++) {
        count += is_request(&trace->marks[i]);
        book->index->has_binder |= trace->marks[i].kind == DJ_EVENT_BINDER;
    }
    if (count == 0 || count > INT32_MAX) {
        return;
    }
    book->all = dj_xresize(NULL, count, sizeof(*book->all));
    book->by_id = dj_xresize(NULL, count, sizeof(*book->by_id));
    book->last_asked = dj_xresize(NULL, threads, sizeof(*book->last_asked));
    book->last_taken = dj_xresize(NULL, threads, sizeof(*book->last_taken));
    for (size_t i = 0; i < threads; i++) {
        book->last_asked[i] = book->last_taken[i] = NONE;
    }
    for (size_t i = 0; i < trace->mark_count; i++) {
        const struct dj_trace_mark *mark = &trace->marks[i];
        if (is_request(mark)) {
            book->by_id[book->count] = (uint32_t)book->count;
            book->all[book->count++] =
                (struct asked){.call = {.client = (uint32_t)mark->tid,
                                        .asked_ns = mark->at_ns,
                                        .outer = NONE,
                                        .outer_served = NONE},
                               .id = mark->value,
                               .to_tid = mark->other,
                               .to_pid = mark->value_2,
                               .before = NONE,
                               .below = NONE};
        }
    }
}

static void close_book(struct book *book)
{
    free(book->all);
    free(book->by_id);
    free(book->last_asked);
    free(book->last_taken);
}

/* ---- ids ---- */

static int by_id(const void *a, const void *b, void *user)
{
    const struct asked *all = user;
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    int order = DJ_COMPARE(all[left].id, all[right].id);
    return order != 0 ? order : DJ_COMPARE(left, right);
}

static struct asked *find_id(const struct book *book, int64_t id)
{
    size_t from = 0;
    size_t to = book->count;
    DJ_SEARCH(from, to, middle, book->all[book->by_id[middle]].id < id);
    struct asked *found = from < book->count ? &book->all[book->by_id[from]] : NULL;
    return found != NULL && found->id == id ? found : NULL;
}

/* ---- who answers what ---- */

static void take(struct book *book, const struct dj_trace_mark *mark)
{
    struct asked *asked = find_id(book, mark->value);
    ptrdiff_t place =
        mark->tid > 0 ? dj_triage_place_of(book->index, (uint32_t)mark->tid) : NONE;
    if (asked != NULL && place >= 0 && asked->call.server == 0) {
        asked->call.server = (uint32_t)mark->tid;
        asked->call.taken_ns = mark->at_ns;
        asked->below = book->last_taken[place];
        book->last_taken[place] = (int32_t)(asked - book->all);
    }
}

static bool may_be_for(const struct asked *asked, const struct dj_triage_thread *server)
{
    return asked->call.answered_ns == 0 && asked->call.server == 0 &&
           (asked->to_tid != 0 ? asked->to_tid == (int32_t)server->tid
                               : asked->to_pid == server->pid || server->pid <= 0);
}

static void answer(struct book *book, const struct dj_trace_mark *mark)
{
    const struct dj_triage_index *index = book->index;
    ptrdiff_t server =
        mark->tid > 0 ? dj_triage_place_of(index, (uint32_t)mark->tid) : NONE;
    ptrdiff_t client =
        mark->other > 0 ? dj_triage_place_of(index, (uint32_t)mark->other) : NONE;
    if (server < 0 || client < 0) {
        return;
    }
    int32_t at = book->last_taken[server];
    for (int i = 0; i < LOOK_BACK && at != NONE; i++, at = book->all[at].below) {
        if (book->all[at].call.client == (uint32_t)mark->other &&
            book->all[at].call.answered_ns == 0) {
            book->all[at].call.answered_ns = mark->at_ns;
            book->last_taken[server] = book->all[at].below;
            return;
        }
    }
    /* It was not told who took it. */
    at = book->last_asked[client];
    for (int i = 0; i < LOOK_BACK && at != NONE; i++, at = book->all[at].before) {
        if (may_be_for(&book->all[at], &index->threads[server])) {
            book->all[at].call.server = (uint32_t)mark->tid;
            book->all[at].call.taken_ns = book->all[at].call.asked_ns;
            book->all[at].call.answered_ns = mark->at_ns;
            return;
        }
    }
}

static void follow(struct book *book)
{
    const struct dj_trace *trace = book->index->trace;
    int32_t next = 0;
    for (size_t i = 0; i < trace->mark_count; i++) {
        const struct dj_trace_mark *mark = &trace->marks[i];
        if (is_request(mark)) {
            ptrdiff_t place = dj_triage_place_of(book->index, (uint32_t)mark->tid);
            if (place >= 0) {
                book->all[next].before = book->last_asked[place];
                book->last_asked[place] = next;
            }
            next++;
        } else if (mark->kind == DJ_EVENT_BINDER_RECEIVED) {
            take(book, mark);
        } else if (mark->kind == DJ_EVENT_BINDER &&
                   (mark->state & DJ_BINDER_REPLY) != 0) {
            answer(book, mark);
        }
    }
}

/* ---- the calls ---- */

static int by_client(const void *a, const void *b)
{
    const struct dj_triage_call *left = a;
    const struct dj_triage_call *right = b;
    int order = DJ_COMPARE(left->client, right->client);
    return order != 0 ? order : DJ_COMPARE(left->asked_ns, right->asked_ns);
}

static int by_taken(const void *a, const void *b, void *user)
{
    const struct dj_triage_call *calls = user;
    const struct dj_triage_call *left = &calls[*(const uint32_t *)a];
    const struct dj_triage_call *right = &calls[*(const uint32_t *)b];
    int order = DJ_COMPARE(left->taken_ns, right->taken_ns);
    return order != 0 ? order : DJ_COMPARE(left, right);
}

static ptrdiff_t client_key(const struct dj_triage_index *index, size_t item)
{
    return dj_triage_place_of(index, index->calls[item].client);
}

static ptrdiff_t server_key(const struct dj_triage_index *index, size_t item)
{
    return dj_triage_place_of(index, index->calls[item].server);
}

/* Calls of one thread lie within each other, or one after the other. */
static void nest(struct dj_triage_index *index, const uint32_t *order,
                 struct dj_triage_range range)
{
    for (size_t i = range.from + 1; i < range.to; i++) {
        struct dj_triage_call *call = &index->calls[order[i]];
        int32_t outer = (int32_t)order[i - 1];
        while (outer != NONE && index->calls[outer].answered_ns <= call->asked_ns) {
            outer = index->calls[outer].outer;
        }
        call->outer = outer;
    }
}

static void nest_served(struct dj_triage_index *index, uint32_t *order,
                        struct dj_triage_range range)
{
    qsort_r(order + range.from, range.to - range.from, sizeof(*order), by_taken,
            index->calls);
    for (size_t i = range.from + 1; i < range.to; i++) {
        struct dj_triage_call *call = &index->calls[order[i]];
        int32_t outer = (int32_t)order[i - 1];
        while (outer != NONE && index->calls[outer].answered_ns <= call->taken_ns) {
            outer = index->calls[outer].outer_served;
        }
        call->outer_served = outer;
    }
}

static void keep(struct book *book)
{
    struct dj_triage_index *index = book->index;
    index->calls = dj_xresize(NULL, book->count, sizeof(*index->calls));
    for (size_t i = 0; i < book->count; i++) {
        if (book->all[i].call.answered_ns != 0) {
            index->calls[index->call_count++] = book->all[i].call;
        }
    }
    qsort(index->calls, index->call_count, sizeof(*index->calls), by_client);
    struct dj_triage_grouping clients = {
        .count = index->call_count, .groups = index->thread_count, .key = client_key};
    struct dj_triage_grouping servers = {
        .count = index->call_count, .groups = index->thread_count, .key = server_key};
    dj_triage_group(index, &clients);
    dj_triage_group(index, &servers);
    for (size_t i = 0; i < index->thread_count; i++) {
        index->threads[i].calls = clients.ranges[i];
        index->threads[i].served = servers.ranges[i];
        nest(index, clients.order, clients.ranges[i]);
        nest_served(index, servers.order, servers.ranges[i]);
    }
    index->asked = clients.order;
    index->served = servers.order;
    free(clients.ranges);
    free(servers.ranges);
}

void dj_triage_calls_find(struct dj_triage_index *index)
{
    struct book book = {.index = index};
    open_book(&book);
    if (book.count > 0) {
        qsort_r(book.by_id, book.count, sizeof(*book.by_id), by_id, book.all);
        follow(&book);
        keep(&book);
    }
    close_book(&book);
}

void dj_triage_calls_finish(struct dj_triage_index *index)
{
    free(index->calls);
    free(index->asked);
    free(index->served);
}

/* ---- questions ---- */

/* How many of a thread's begin no later. */
static size_t begun_by(const struct dj_triage_index *index, const uint32_t *order,
                       struct dj_triage_range range, bool served, int64_t at_ns)
{
    size_t from = range.from;
    size_t to = range.to;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        const struct dj_triage_call *call = &index->calls[order[middle]];
        if ((served ? call->taken_ns : call->asked_ns) <= at_ns) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/* When the innermost call that the thread serves then was taken; INT64_MIN: it serves
 * none. */
static int64_t serves_since(const struct dj_triage_index *index,
                            const struct dj_triage_thread *thread, int64_t at_ns)
{
    size_t begun = begun_by(index, index->served, thread->served, true, at_ns);
    int32_t at =
        begun > thread->served.from ? (int32_t)index->served[begun - 1] : (int32_t)NONE;
    while (at != NONE && index->calls[at].answered_ns <= at_ns) {
        at = index->calls[at].outer_served;
    }
    return at != NONE ? index->calls[at].taken_ns : INT64_MIN;
}

const struct dj_triage_call *dj_triage_call_at(const struct dj_triage_index *index,
                                               const struct dj_triage_thread *thread,
                                               int64_t at_ns, int64_t *until_ns)
{
    if (until_ns != NULL) {
        *until_ns = INT64_MAX;
    }
    if (thread->calls.to == thread->calls.from) {
        return NULL;
    }
    size_t begun = begun_by(index, index->asked, thread->calls, false, at_ns);
    int32_t at =
        begun > thread->calls.from ? (int32_t)index->asked[begun - 1] : (int32_t)NONE;
    while (at != NONE && index->calls[at].answered_ns <= at_ns) {
        at = index->calls[at].outer;
    }
    const struct dj_triage_call *call = at != NONE ? &index->calls[at] : NULL;
    if (until_ns != NULL) {
        int64_t next_ns = begun < thread->calls.to
                              ? index->calls[index->asked[begun]].asked_ns
                              : INT64_MAX;
        *until_ns =
            call != NULL && call->answered_ns < next_ns ? call->answered_ns : next_ns;
    }
    return call != NULL && serves_since(index, thread, at_ns) > call->asked_ns ? NULL
                                                                               : call;
}
