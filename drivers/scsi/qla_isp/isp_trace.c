// SPDX-License-Identifier: GPL-2.0-only
/*
 * The code behind the tracepoints of isp_trace.h, which need the enums of all
 * floors for the names that they print.
 */
#include "isp_hba.h"

#define CREATE_TRACE_POINTS
#include "isp_trace.h"
