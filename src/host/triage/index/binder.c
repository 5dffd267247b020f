#include "triage/index/binder.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/map.h"
#include "memory/memory.h"
#include "trace/event.h"
#include "triage/index/group.h"

/*
 * Matches replies with requests. Example of the events:
 *
 *   binder_transaction: transaction=87 dest_node=52 dest_proc=200 dest_thread=0 reply=0
 *   binder_transaction_received: transaction=87    (by the thread that serves the call)
 *   binder_transaction: transaction=88 … dest_thread=100 reply=1    (by the same
 *   thread)
 *
 * A reply does not name its request. It answers the last request that its sender received
 * from the thread to which the reply goes. One-way transactions (flag 0x1) have no reply.
 * They are skipped if the trace contains flags. Without flags, a one-way transaction is
 * rarely mistaken for a call.
 */

/* Maximum number of requests with which a reply is compared. */
enum { LOOK_BACK = 64, NONE = -1 };

struct request {
    struct dj_triage_call call;
    /* The called thread, or 0 if any thread of the process may serve the call. */
    int32_t to_tid;
    int64_t to_pid;
    int32_t before; /* Index of the client's previous request, or NONE. */
    /* Index of the request that the server received before this one, or NONE. */
    int32_t below;
};

struct request_list {
    struct dj_triage_index *index;
    struct request *all; /* Requests, sorted by time. */
    size_t count;
    /* Maps the id of a transaction to the index of the first request with this id. */
    struct dj_map by_id;
    /* For each thread, the index in `all` of the last request that the thread has sent,
     * or NONE. */
    int32_t *last_sent;
    /* For each thread, the index in `all` of the last request that the thread has
     * received, or NONE. */
    int32_t *last_received;
};

static bool is_request(const struct dj_trace_mark *mark)
{
    return mark->kind == DJ_EVENT_BINDER && mark->state == 0 && mark->tid > 0;
}

static void add_request(struct request_list *request_list,
                        const struct dj_trace_mark *mark)
{
    struct request request = {.call = {.client = (uint32_t)mark->tid,
                                       .request_ns = mark->at_ns,
                                       .outer = NONE,
                                       .outer_served = NONE},
                              .to_tid = mark->other,
                              .to_pid = mark->value_2,
                              .before = NONE,
                              .below = NONE};
    ptrdiff_t place = dj_triage_find_known_thread_place(request_list->index, mark->tid);
    if (place >= 0) {
        request.before = request_list->last_sent[place];
        request_list->last_sent[place] = (int32_t)request_list->count;
    }
    if (dj_map_get(&request_list->by_id, (uint64_t)mark->value) == DJ_MAP_NONE) {
        dj_xcheck(
            dj_map_add(&request_list->by_id, (uint64_t)mark->value, request_list->count));
    }
    DJ_XPUSH(request_list->all, request_list->count, request);
}

static void add_receipt(struct request_list *request_list,
                        const struct dj_trace_mark *mark)
{
    size_t number = dj_map_get(&request_list->by_id, (uint64_t)mark->value);
    ptrdiff_t place = dj_triage_find_known_thread_place(request_list->index, mark->tid);
    if (number == DJ_MAP_NONE || place < 0) {
        return;
    }
    struct request *request = &request_list->all[number];
    if (request->call.server == 0) {
        request->call.server = (uint32_t)mark->tid;
        request->call.receipt_ns = mark->at_ns;
        request->below = request_list->last_received[place];
        request_list->last_received[place] = (int32_t)number;
    }
}

static bool is_possible_request(const struct request *request,
                                const struct dj_triage_thread *server)
{
    return request->call.reply_ns == 0 && request->call.server == 0 &&
           (request->to_tid != 0 ? request->to_tid == (int32_t)server->tid
                                 : request->to_pid == server->pid || server->pid <= 0);
}

static void add_reply(struct request_list *request_list, const struct dj_trace_mark *mark)
{
    const struct dj_triage_index *index = request_list->index;
    ptrdiff_t server = dj_triage_find_known_thread_place(index, mark->tid);
    ptrdiff_t client = dj_triage_find_known_thread_place(index, mark->other);
    if (server < 0 || client < 0) {
        return;
    }
    int32_t at = request_list->last_received[server];
    for (int i = 0; i < LOOK_BACK && at != NONE; i++, at = request_list->all[at].below) {
        if (request_list->all[at].call.client == (uint32_t)mark->other &&
            request_list->all[at].call.reply_ns == 0) {
            request_list->all[at].call.reply_ns = mark->at_ns;
            request_list->last_received[server] = request_list->all[at].below;
            return;
        }
    }
    /* The trace does not show which request the server received. So the requests that the
     * client has sent are searched. */
    at = request_list->last_sent[client];
    for (int i = 0; i < LOOK_BACK && at != NONE; i++, at = request_list->all[at].before) {
        if (is_possible_request(&request_list->all[at], &index->threads[server])) {
            request_list->all[at].call.server = (uint32_t)mark->tid;
            request_list->all[at].call.receipt_ns = request_list->all[at].call.request_ns;
            request_list->all[at].call.reply_ns = mark->at_ns;
            return;
        }
    }
}

static void read_marks(struct request_list *request_list)
{
    const struct dj_trace *trace = request_list->index->trace;
    for (size_t i = 0; i < trace->mark_count && request_list->count < INT32_MAX; i++) {
        const struct dj_trace_mark *mark = &trace->marks[i];
        request_list->index->has_binder |= mark->kind == DJ_EVENT_BINDER;
        if (is_request(mark)) {
            add_request(request_list, mark);
        } else if (mark->kind == DJ_EVENT_BINDER_RECEIVED) {
            add_receipt(request_list, mark);
        } else if (mark->kind == DJ_EVENT_BINDER &&
                   (mark->state & DJ_BINDER_REPLY) != 0) {
            add_reply(request_list, mark);
        }
    }
}

static int64_t get_begin_ns(const struct dj_triage_call *call, bool served)
{
    return served ? call->receipt_ns : call->request_ns;
}

static int32_t *get_outer(struct dj_triage_call *call, bool served)
{
    return served ? &call->outer_served : &call->outer;
}

/* Returns the innermost call that has no reply yet at `at_ns`. Starts with `call` and
 * continues with the calls around it. Returns NONE if all these calls have a reply. */
static int32_t find_unanswered(const struct dj_triage_index *index, int32_t call,
                               bool served, int64_t at_ns)
{
    while (call != NONE && index->calls[call].reply_ns <= at_ns) {
        call = *get_outer(&index->calls[call], served);
    }
    return call;
}

static int by_receipt(const void *a, const void *b, void *user)
{
    const struct dj_triage_call *calls = user;
    const struct dj_triage_call *left = &calls[*(const uint32_t *)a];
    const struct dj_triage_call *right = &calls[*(const uint32_t *)b];
    int order = DJ_COMPARE(left->receipt_ns, right->receipt_ns);
    return order != 0 ? order : DJ_COMPARE(left, right);
}

static ptrdiff_t get_client_key(const struct dj_triage_index *index, size_t item)
{
    return dj_triage_find_thread_place(index, index->calls[item].client);
}

static ptrdiff_t get_server_key(const struct dj_triage_index *index, size_t item)
{
    return dj_triage_find_thread_place(index, index->calls[item].server);
}

/* Finds the call around each call of a thread. Two calls of one thread are either nested,
 * or one ends before the other begins. */
static void set_outer_calls(struct dj_triage_index *index, const uint32_t *order,
                            struct dj_triage_range range, bool served)
{
    for (size_t i = range.from + 1; i < range.to; i++) {
        struct dj_triage_call *call = &index->calls[order[i]];
        *get_outer(call, served) = find_unanswered(index, (int32_t)order[i - 1], served,
                                                   get_begin_ns(call, served));
    }
}

static void build_calls(struct request_list *request_list)
{
    struct dj_triage_index *index = request_list->index;
    index->calls = dj_xresize(NULL, request_list->count, sizeof(*index->calls));
    for (size_t i = 0; i < request_list->count; i++) {
        if (request_list->all[i].call.reply_ns != 0) {
            index->calls[index->call_count++] = request_list->all[i].call;
        }
    }
    index->calls_by_client =
        dj_triage_group_by_thread(index, index->call_count, get_client_key,
                                  offsetof(struct dj_triage_thread, calls));
    index->calls_by_server =
        dj_triage_group_by_thread(index, index->call_count, get_server_key,
                                  offsetof(struct dj_triage_thread, served));
    for (size_t i = 0; i < index->thread_count; i++) {
        const struct dj_triage_thread *thread = &index->threads[i];
        qsort_r(index->calls_by_server + thread->served.from,
                thread->served.to - thread->served.from, sizeof(*index->calls_by_server),
                by_receipt, index->calls);
        set_outer_calls(index, index->calls_by_client, thread->calls, false);
        set_outer_calls(index, index->calls_by_server, thread->served, true);
    }
}

void dj_triage_find_calls(struct dj_triage_index *index)
{
    size_t threads = index->thread_count;
    struct request_list request_list = {.index = index};
    request_list.last_sent = dj_xresize(NULL, threads, sizeof(*request_list.last_sent));
    request_list.last_received =
        dj_xresize(NULL, threads, sizeof(*request_list.last_received));
    for (size_t i = 0; i < threads; i++) {
        request_list.last_sent[i] = request_list.last_received[i] = NONE;
    }
    read_marks(&request_list);
    if (request_list.count > 0) {
        build_calls(&request_list);
    }
    free(request_list.all);
    dj_map_finish(&request_list.by_id);
    free(request_list.last_sent);
    free(request_list.last_received);
}

/* Returns the index in `order` after the last of the thread's calls that begin at `at_ns`
 * or earlier. */
static size_t count_begun(const struct dj_triage_index *index, const uint32_t *order,
                          struct dj_triage_range range, bool served, int64_t at_ns)
{
    DJ_SEARCH(range.from, range.to, middle,
              get_begin_ns(&index->calls[order[middle]], served) <= at_ns);
    return range.from;
}

/* Finds the innermost call that the thread serves at `at_ns`. Returns the time at which
 * the thread received this call, or INT64_MIN if the thread serves no call. */
static int64_t find_receipt(const struct dj_triage_index *index,
                            const struct dj_triage_thread *thread, int64_t at_ns)
{
    size_t begun =
        count_begun(index, index->calls_by_server, thread->served, true, at_ns);
    if (begun == thread->served.from) {
        return INT64_MIN;
    }
    int32_t at =
        find_unanswered(index, (int32_t)index->calls_by_server[begun - 1], true, at_ns);
    return at != NONE ? index->calls[at].receipt_ns : INT64_MIN;
}

const struct dj_triage_call *dj_triage_find_call(const struct dj_triage_index *index,
                                                 const struct dj_triage_thread *thread,
                                                 int64_t at_ns, int64_t *until_ns)
{
    size_t begun =
        count_begun(index, index->calls_by_client, thread->calls, false, at_ns);
    int32_t at = NONE;
    if (begun > thread->calls.from) {
        at = find_unanswered(index, (int32_t)index->calls_by_client[begun - 1], false,
                             at_ns);
    }
    const struct dj_triage_call *call = at != NONE ? &index->calls[at] : NULL;
    if (until_ns != NULL) {
        int64_t next_ns = begun < thread->calls.to
                              ? index->calls[index->calls_by_client[begun]].request_ns
                              : INT64_MAX;
        *until_ns = call != NULL && call->reply_ns < next_ns ? call->reply_ns : next_ns;
    }
    return call != NULL && find_receipt(index, thread, at_ns) > call->request_ns ? NULL
                                                                                 : call;
}
