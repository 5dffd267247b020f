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

#include "gfxinfo/proto_wire.h"

enum {
    DJ_GRAPHICSSTATS_ENTRY = 1,  /* of the dump */
    DJ_GRAPHICSSTATS_FIELDS = 9, /* of an entry: 1 … 9 */
    DJ_GRAPHICSSTATS_VERSION = 1,
    DJ_GRAPHICSSTATS_VERSION_BYTES = 4
};

/* Whether a field is one of an entry, of its type. */
bool dj_graphicsstats_knows(const struct dj_wire_field *field);

/* Whether a stored file's version, the one that is known, stands at its beginning. */
bool dj_graphicsstats_has_version(const char *bytes, size_t length);

#endif
