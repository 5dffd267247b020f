/* Visits the records of a perf.data file in order of time. perf writes the records of
 * each CPU in order, but the records of several CPUs in separate blocks, and may compress
 * them. A first pass stores only the times and positions of records, to limit the memory
 * use. Then each record is read at its position. */
#ifndef DEJANK_TRACE_PERF_DATA_ORDER_H
#define DEJANK_TRACE_PERF_DATA_ORDER_H

#include "trace/mapped_file.h"
#include "trace/perf_data/record.h"
#include "trace/rows.h"

/* The order of the records. Zero the struct before use. */
struct dj_perf_order {
    struct dj_perf_data *file;
    /* The unpacked bytes of records that were compressed. */
    struct dj_trace_file unpacked;
    struct dj_trace_rows rows;
};

/* Finds the order of the records. Notes a damaged part in file->damage and keeps the
 * records before it. If the file was written to a pipe, also reads its events and
 * sections. Returns 0 or DJ_E_IO. Call dj_perf_data_order_finish() in both cases. */
int dj_perf_data_order_find(struct dj_perf_order *order, struct dj_perf_data *file,
                            struct dj_error *err);
/* Reads the next record. Returns false at the end. Sets *time_ns to the time of the
 * record, or to the time of the previous record if this record has none. */
bool dj_perf_data_order_next(struct dj_perf_order *order, struct dj_perf_record *record,
                             uint64_t *time_ns);
void dj_perf_data_order_finish(struct dj_perf_order *order);

#endif
