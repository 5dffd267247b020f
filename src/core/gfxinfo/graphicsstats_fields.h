/* The fields of the binary form of graphicsstats, a protocol buffer. The parser and the
 * function that detects this format use them. Source:
 * frameworks/base/core/proto/android/service/graphicsstats.proto:
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
 * A stored file is a little-endian int32 with value 1 and one GraphicsStatsProto. */
#ifndef DEJANK_GFXINFO_GRAPHICSSTATS_FIELDS_H
#define DEJANK_GFXINFO_GRAPHICSSTATS_FIELDS_H

#include "base/proto.h"

enum {
    DJ_GRAPHICSSTATS_ENTRY = 1, /* Field of GraphicsStatsServiceDumpProto. */
    /* Fields of GraphicsStatsProto, an entry. */
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

/* The unread part of a protocol buffer message. */
struct dj_graphicsstats_message {
    const char *at, *end;
    /* Whether the input ends at `end`, so that the message may be longer. */
    bool open;
    /* Whether the length of the message shows that it is longer than the input. */
    bool truncated;
};

struct dj_graphicsstats_field {
    const char *at;  /* First byte of the field. */
    uint32_t number; /* Field number, from 1. */
    enum dj_proto_wire wire;
    uint64_t value; /* Value of a varint or fixed-size field. */
    /* Bytes of a length-delimited field. span.truncated is set if the input ends before
     * the field does. */
    struct dj_graphicsstats_message span;
};

/* Reads the next field. Returns DJ_PROTO_FIELD, DJ_PROTO_END, DJ_PROTO_TRUNCATED (only
 * if message->open) or DJ_PROTO_INVALID. A truncated length-delimited field is returned
 * as a field with span.truncated set. After an error, message->at is the start of the bad
 * field. */
enum dj_proto_outcome
dj_graphicsstats_fields_read(struct dj_graphicsstats_message *message,
                             struct dj_graphicsstats_field *field);

/* Returns whether GraphicsStatsProto has a field with this number and type. */
bool dj_graphicsstats_fields_is_known(const struct dj_graphicsstats_field *field);

/* Returns whether the bytes begin with the known version number of a stored file. */
bool dj_graphicsstats_fields_has_version(const char *bytes, size_t length);

#endif
