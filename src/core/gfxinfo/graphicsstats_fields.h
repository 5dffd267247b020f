/*
 * Of what graphicsstats' binary form consists, for its reader and for telling it from
 * text. frameworks/base/core/proto/android/service/graphicsstats.proto has:
 *
 *   GraphicsStatsServiceDumpProto  repeated GraphicsStatsProto stats = 1
 *   GraphicsStatsProto             package_name = 1, version_code = 2, stats_start = 3,
 *                                  stats_end = 4 (ms), summary = 5,
 *                                  repeated histogram = 6,
 *                                  since 11: repeated gpu_histogram = 7, pipeline = 8,
 *                                  since 15: uid = 9
 *   …JankSummaryProto              counters 1 … 8
 *   …HistogramBucketProto          render_millis = 1, frame_count = 2
 *
 * A stored file is an int32 1, lowest byte first, and one GraphicsStatsProto.
 */
#ifndef DEJANK_GFXINFO_GRAPHICSSTATS_FIELDS_H
#define DEJANK_GFXINFO_GRAPHICSSTATS_FIELDS_H

#include "base/proto.h"

enum {
    DJ_GRAPHICSSTATS_ENTRY = 1, /* of the dump */
    /* of an entry */
    DJ_GRAPHICSSTATS_PACKAGE = 1,
    DJ_GRAPHICSSTATS_VERSION_CODE,
    DJ_GRAPHICSSTATS_START,
    DJ_GRAPHICSSTATS_END,
    DJ_GRAPHICSSTATS_SUMMARY,
    DJ_GRAPHICSSTATS_HISTOGRAM,
    DJ_GRAPHICSSTATS_GPU_HISTOGRAM,
    DJ_GRAPHICSSTATS_PIPELINE,
    DJ_GRAPHICSSTATS_UID,
    DJ_GRAPHICSSTATS_FIELDS = DJ_GRAPHICSSTATS_UID,
    DJ_GRAPHICSSTATS_VERSION = 1,
    DJ_GRAPHICSSTATS_VERSION_BYTES = 4
};

/* A message, or what is left of it. */
struct dj_graphicsstats_message {
    const char *at, *end;
    bool open; /* the text ends at `end`, perhaps before the message does */
    bool cut;  /* it does: the message's length says so */
};

struct dj_graphicsstats_field {
    const char *at;  /* where it begins */
    uint32_t number; /* from 1 */
    enum dj_proto_wire wire;
    uint64_t value;                       /* of a number */
    struct dj_graphicsstats_message span; /* of bytes; cut where they should go on */
};

/* Reads the next field: DJ_PROTO_FIELD, _END, _TRUNCATED (an open message only) or
 * _INVALID. Bytes that are cut short are still a field, with a cut span. After the two
 * errors message->at stays at the field. */
enum dj_proto_outcome dj_graphicsstats_next(struct dj_graphicsstats_message *message,
                                            struct dj_graphicsstats_field *field);

/* Whether a field is one of an entry, of its type. */
bool dj_graphicsstats_knows(const struct dj_graphicsstats_field *field);

/* Whether a stored file's version, the one that is known, stands at its beginning. */
bool dj_graphicsstats_has_version(const char *bytes, size_t length);

#endif
