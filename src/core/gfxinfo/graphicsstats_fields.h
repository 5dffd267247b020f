/*
 * The fields of the binary form of graphicsstats, for its reader and for detecting it.
 * frameworks/base/core/proto/android/service/graphicsstats.proto has:
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
    DJ_GRAPHICSSTATS_ENTRY = 1, /* field of the dump */
    /* Fields of an entry. */
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

/* A message, or its unread rest. */
struct dj_graphicsstats_message {
    const char *at, *end;
    bool open; /* the text ends at `end`, possibly before the message does */
    bool cut;  /* the message's length shows that the text ends before the message */
};

struct dj_graphicsstats_field {
    const char *at;  /* where the field begins */
    uint32_t number; /* from 1 */
    enum dj_proto_wire wire;
    uint64_t value; /* of a number field */
    struct dj_graphicsstats_message
        span; /* of a bytes field; cut if the text ends before the bytes do */
};

/* Reads the next field. Returns DJ_PROTO_FIELD, _END, _TRUNCATED (open messages only)
 * or _INVALID. A truncated bytes field still counts as a field, with a cut span. After
 * either error, message->at stays at the field. */
enum dj_proto_outcome
dj_graphicsstats_fields_read(struct dj_graphicsstats_message *message,
                             struct dj_graphicsstats_field *field);

/* Returns whether an entry has a field with this number and type. */
bool dj_graphicsstats_fields_is_known(const struct dj_graphicsstats_field *field);

/* Returns whether the bytes begin with the known version number of a stored file. */
bool dj_graphicsstats_fields_has_version(const char *bytes, size_t length);

#endif
