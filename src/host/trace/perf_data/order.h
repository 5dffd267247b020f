/*
 * The records of a perf.data file in order of time. perf writes the records of each CPU
 * in order, but those of several CPUs in blocks, and may compress them. The order is
 * found first, so that memory for it is limited. Then the records are read where they
 * are.
 */
#ifndef DEJANK_TRACE_PERF_DATA_ORDER_H
#define DEJANK_TRACE_PERF_DATA_ORDER_H

#include "trace/mapped_file.h"
#include "trace/perf_data/record.h"
#include "trace/rows.h"

/* Zero it before use. */
struct dj_perf_order {
    struct dj_perf_data *file;
    struct dj_trace_file unpacked; /* The records that were compressed. */
    struct dj_trace_rows rows;
};

/* Finds the order. If a part is damaged, notes it in file->damage and keeps the records
 * before it. For a file that was written to a pipe, also reads its events and sections.
 * Returns 0 or DJ_E_IO. Call dj_perf_data_order_finish() in both cases. */
int dj_perf_data_order_find(struct dj_perf_order *order, struct dj_perf_data *file,
                            struct dj_error *err);
/* Reads the next record. Returns false at the end. *time_ns is the time of the record,
 * or that of the record before if it has none. */
bool dj_perf_data_order_next(struct dj_perf_order *order, struct dj_perf_record *record,
                             uint64_t *time_ns);
void dj_perf_data_order_finish(struct dj_perf_order *order);

#endif
