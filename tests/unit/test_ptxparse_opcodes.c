/*
 * Every instruction of PTX ISA 9.0, chapter 9.7, in the order of its sections, and every directive of chapter 11:
 * known, without a warning, and of the class that the ISA's text says. Written by hand from the ISA, not from the table
 * it is held against.
 */
#include "ptxparse/ptxparse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define HEAD ".version 9.0\n.target sm_100a, texmode_independent, debug\n.address_size 64\n"

enum {
	NONE = 0,
	LOAD = FLAG_LOAD,
	STORE = FLAG_STORE,
	BOTH = FLAG_LOAD | FLAG_STORE,
	RED = FLAG_STORE | FLAG_ATOMIC,
	ATOM = FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC,
	MANY = FLAG_SEQUENCE,
	BARRIER = FLAG_BARRIER
};

struct expectation {
	const char *spelling;
	enum ptx_unit unit;
	unsigned flags;
	enum ptx_space space;
	unsigned bytes; /* per lane, of loads and stores with a type */
};

static const struct expectation expectations[] = {
	/* 9.7.1 integer arithmetic */
	{"add.s32", UNIT_INT, NONE, 0, 0},
	{"add.sat.s32", UNIT_INT, NONE, 0, 0},
	{"add.u16x2", UNIT_INT, NONE, 0, 0},
	{"sub.u64", UNIT_INT, NONE, 0, 0},
	{"mul.wide.u16", UNIT_INT_MULTIPLY, NONE, 0, 0},
	{"mul.hi.s32", UNIT_INT_MULTIPLY, NONE, 0, 0},
	{"mad.lo.s32", UNIT_INT_MULTIPLY, NONE, 0, 0},
	{"mad.hi.sat.s32", UNIT_INT_MULTIPLY, NONE, 0, 0},
	{"mul24.lo.u32", UNIT_INT_MULTIPLY, NONE, 0, 0},
	{"mad24.hi.s32", UNIT_INT_MULTIPLY, NONE, 0, 0},
	{"sad.u32", UNIT_INT, NONE, 0, 0},
	{"div.s64", UNIT_INT, MANY, 0, 0},
	{"rem.u32", UNIT_INT, MANY, 0, 0},
	{"abs.s32", UNIT_INT, NONE, 0, 0},
	{"neg.s32", UNIT_INT, NONE, 0, 0},
	{"min.relu.s32", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"max.s16x2", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"popc.b64", UNIT_SFU, NONE, 0, 0},
	{"clz.b32", UNIT_SFU, NONE, 0, 0},
	{"bfind.shiftamt.u32", UNIT_SFU, NONE, 0, 0},
	{"fns.b32", UNIT_INT, MANY, 0, 0},
	{"brev.b32", UNIT_SFU, NONE, 0, 0},
	{"bfe.u32", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"bfi.b64", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"szext.clamp.s32", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"bmsk.wrap.b32", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"dp4a.s32.u32", UNIT_INT_MULTIPLY, NONE, 0, 0},
	{"dp2a.lo.u32.u32", UNIT_INT_MULTIPLY, NONE, 0, 0},
	/* 9.7.2 extended precision */
	{"add.cc.u32", UNIT_INT, NONE, 0, 0},
	{"addc.cc.u32", UNIT_INT, NONE, 0, 0},
	{"sub.cc.u64", UNIT_INT, NONE, 0, 0},
	{"subc.u32", UNIT_INT, NONE, 0, 0},
	{"mad.lo.cc.u32", UNIT_INT_MULTIPLY, NONE, 0, 0},
	{"madc.hi.cc.u32", UNIT_INT_MULTIPLY, NONE, 0, 0},
	/* 9.7.3 to 9.7.5 floating point, half and mixed precision */
	{"testp.finite.f32", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"copysign.f64", UNIT_INT, NONE, 0, 0},
	{"add.rz.ftz.sat.f32", UNIT_FP32, NONE, 0, 0},
	{"add.rn.f32x2", UNIT_FP32, NONE, 0, 0},
	{"sub.rn.f64", UNIT_FP64, NONE, 0, 0},
	{"mul.rn.f32", UNIT_FP32, NONE, 0, 0},
	{"fma.rm.f64", UNIT_FP64, NONE, 0, 0},
	{"mad.rn.f32", UNIT_FP32, NONE, 0, 0},
	{"div.approx.f32", UNIT_SFU, MANY, 0, 0},
	{"div.full.f32", UNIT_SFU, MANY, 0, 0},
	{"div.rn.f64", UNIT_FP64, MANY, 0, 0},
	{"rcp.approx.ftz.f32", UNIT_SFU, NONE, 0, 0},
	{"rcp.rn.f64", UNIT_FP64, MANY, 0, 0},
	{"rcp.approx.ftz.f64", UNIT_SFU, NONE, 0, 0},
	{"sqrt.approx.f32", UNIT_SFU, NONE, 0, 0},
	{"sqrt.rn.f32", UNIT_FP32, MANY, 0, 0},
	{"rsqrt.approx.f32", UNIT_SFU, NONE, 0, 0},
	{"rsqrt.approx.ftz.f64", UNIT_SFU, NONE, 0, 0},
	{"sin.approx.f32", UNIT_SFU, NONE, 0, 0},
	{"cos.approx.ftz.f32", UNIT_SFU, NONE, 0, 0},
	{"lg2.approx.f32", UNIT_SFU, NONE, 0, 0},
	{"ex2.approx.f32", UNIT_SFU, NONE, 0, 0},
	{"tanh.approx.f32", UNIT_SFU, NONE, 0, 0},
	{"add.rn.f16x2", UNIT_FP16, NONE, 0, 0},
	{"sub.bf16", UNIT_FP16, NONE, 0, 0},
	{"mul.f16", UNIT_FP16, NONE, 0, 0},
	{"fma.rn.oob.relu.bf16x2", UNIT_FP16, NONE, 0, 0},
	{"neg.f16x2", UNIT_FP16, NONE, 0, 0},
	{"abs.bf16", UNIT_FP16, NONE, 0, 0},
	{"min.NaN.xorsign.abs.f16", UNIT_FP16, NONE, 0, 0},
	{"max.NaN.bf16x2", UNIT_FP16, NONE, 0, 0},
	{"tanh.approx.bf16x2", UNIT_SFU, NONE, 0, 0},
	{"ex2.approx.atype.f16", UNIT_SFU, NONE, 0, 0},
	{"add.f32.bf16", UNIT_FP32, NONE, 0, 0},
	{"fma.rn.f32.f16", UNIT_FP32, NONE, 0, 0},
	/* 9.7.6 to 9.7.8 comparison, selection, logic, shifts */
	{"set.lt.and.f32.s32", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"setp.leu.f64", UNIT_FP64, NONE, 0, 0},
	{"selp.f32", UNIT_INT, NONE, 0, 0},
	{"slct.u64.s32", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"set.bf16.eq.bf16", UNIT_FP16, NONE, 0, 0},
	{"setp.num.f16x2", UNIT_FP16, NONE, 0, 0},
	{"and.pred", UNIT_INT, NONE, 0, 0},
	{"or.b32", UNIT_INT, NONE, 0, 0},
	{"xor.b64", UNIT_INT, NONE, 0, 0},
	{"not.b32", UNIT_INT, NONE, 0, 0},
	{"cnot.b32", UNIT_INT, NONE, 0, 0},
	{"lop3.or.b32", UNIT_INT, NONE, 0, 0},
	{"shf.l.wrap.b32", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"shf.r.clamp.b32", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"shl.b64", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"shr.s32", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	/* 9.7.9 data movement and conversion */
	{"mov.u64", UNIT_MOVE, NONE, 0, 0},
	{"shfl.up.b32", UNIT_SHUFFLE, NONE, 0, 0},
	{"shfl.sync.bfly.b32", UNIT_SHUFFLE, NONE, 0, 0},
	{"prmt.b32.f4e", UNIT_INT, NONE, 0, 0},
	{"ld.global.nc.L1::no_allocate.L2::128B.v4.f32", UNIT_LOAD_STORE, LOAD, SPACE_GLOBAL, 16},
	{"ld.global.v8.f32", UNIT_LOAD_STORE, LOAD, SPACE_GLOBAL, 32},
	{"ld.relaxed.gpu.global.b128", UNIT_LOAD_STORE, LOAD, SPACE_GLOBAL, 16},
	{"ld.shared::cluster.u16", UNIT_LOAD_STORE, LOAD, SPACE_SHARED, 2},
	{"ld.param::entry.u64", UNIT_LOAD_STORE, LOAD, SPACE_PARAM, 8},
	{"ld.local.v2.u32", UNIT_LOAD_STORE, LOAD, SPACE_LOCAL, 8},
	{"ld.const.f64", UNIT_LOAD_STORE, LOAD, SPACE_CONST, 8},
	{"ld.u8", UNIT_LOAD_STORE, LOAD, SPACE_GENERIC, 1},
	{"ld.mmio.relaxed.sys.global.u32", UNIT_LOAD_STORE, LOAD, SPACE_GLOBAL, 4},
	{"ldu.global.b32", UNIT_LOAD_STORE, LOAD, SPACE_GLOBAL, 4},
	{"st.volatile.shared.f32", UNIT_LOAD_STORE, STORE, SPACE_SHARED, 4},
	{"st.release.cta.global.u32", UNIT_LOAD_STORE, STORE, SPACE_GLOBAL, 4},
	{"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64", UNIT_LOAD_STORE, STORE, SPACE_SHARED, 8},
	{"st.bulk.weak.shared::cta", UNIT_LOAD_STORE, STORE, SPACE_SHARED, 0},
	{"multimem.ld_reduce.relaxed.sys.global.add.v4.f32", UNIT_LOAD_STORE, LOAD, SPACE_GLOBAL, 16},
	{"multimem.st.weak.global.b32", UNIT_LOAD_STORE, STORE, SPACE_GLOBAL, 4},
	{"multimem.red.relaxed.gpu.global.add.u64", UNIT_LOAD_STORE, RED, SPACE_GLOBAL, 8},
	{"prefetch.global.L2::evict_last", UNIT_LOAD_STORE, NONE, SPACE_GLOBAL, 0},
	{"prefetch.tensormap", UNIT_LOAD_STORE, NONE, SPACE_GENERIC, 0},
	{"prefetchu.L1", UNIT_LOAD_STORE, NONE, SPACE_GENERIC, 0},
	{"applypriority.global.L2::evict_normal", UNIT_LOAD_STORE, NONE, SPACE_GLOBAL, 0},
	{"discard.global.L2", UNIT_LOAD_STORE, NONE, SPACE_GLOBAL, 0},
	{"createpolicy.fractional.L2::evict_last.b64", UNIT_INT, NONE, 0, 0},
	{"createpolicy.range.global.L2::evict_first.L2::evict_unchanged.b64", UNIT_INT, NONE, 0, 0},
	{"createpolicy.cvt.L2.b64", UNIT_INT, NONE, 0, 0},
	{"isspacep.shared::cluster", UNIT_SHIFT_COMPARE, NONE, SPACE_SHARED, 0},
	{"cvta.const.u64", UNIT_INT, NONE, SPACE_CONST, 0},
	{"cvta.to.param::entry.u64", UNIT_INT, NONE, SPACE_PARAM, 0},
	{"cvt.rni.s32.f32", UNIT_CONVERT, NONE, 0, 0},
	{"cvt.rn.satfinite.e4m3x2.f32", UNIT_CONVERT, NONE, 0, 0},
	{"cvt.rs.satfinite.e2m1x4.f32", UNIT_CONVERT, NONE, 0, 0},
	{"cvt.rp.satfinite.ue8m0x2.bf16x2", UNIT_CONVERT, NONE, 0, 0},
	{"cvt.pack.sat.u8.s32.b32", UNIT_INT, NONE, 0, 0},
	{"mapa.shared::cluster.u32", UNIT_INT, NONE, SPACE_SHARED, 0},
	{"getctarank.u64", UNIT_INT, NONE, 0, 0},
	{"cp.async.ca.shared.global.L2::64B", UNIT_LOAD_STORE, LOAD, SPACE_GLOBAL, 0},
	{"cp.async.commit_group", UNIT_CONTROL, NONE, 0, 0},
	{"cp.async.wait_group", UNIT_CONTROL, NONE, 0, 0},
	{"cp.async.wait_all", UNIT_CONTROL, NONE, 0, 0},
	{"cp.async.mbarrier.arrive.noinc.shared.b64", UNIT_LOAD_STORE, NONE, SPACE_SHARED, 0},
	{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster", UNIT_LOAD_STORE, BOTH,
         SPACE_GLOBAL, 0},
	{"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32", UNIT_LOAD_STORE, ATOM, 0, 0},
	{"cp.async.bulk.prefetch.L2.global", UNIT_LOAD_STORE, NONE, SPACE_GLOBAL, 0},
	{"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes", UNIT_LOAD_STORE, BOTH,
         SPACE_GLOBAL, 0},
	{"cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group", UNIT_LOAD_STORE, ATOM, 0, 0},
	{"cp.async.bulk.prefetch.tensor.3d.L2.global.im2col", UNIT_LOAD_STORE, NONE, SPACE_GLOBAL, 0},
	{"cp.async.bulk.commit_group", UNIT_CONTROL, NONE, 0, 0},
	{"cp.async.bulk.wait_group.read", UNIT_CONTROL, NONE, 0, 0},
	{"multimem.cp.async.bulk.global.shared::cta.bulk_group", UNIT_LOAD_STORE, BOTH, 0, 0},
	{"multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32", UNIT_LOAD_STORE, ATOM, 0, 0},
	{"tensormap.replace.tile.global_address.global.b1024.b64", UNIT_LOAD_STORE, NONE, SPACE_GLOBAL, 0},
	/* 9.7.10, 9.7.11 textures and surfaces */
	{"tex.2d.v4.f32.s32", UNIT_TEXTURE, LOAD, SPACE_TEXTURE, 0},
	{"tex.level.a2d.v4.u32.f32", UNIT_TEXTURE, LOAD, SPACE_TEXTURE, 0},
	{"tld4.r.2d.v4.f32.f32", UNIT_TEXTURE, LOAD, SPACE_TEXTURE, 0},
	{"txq.width.b32", UNIT_TEXTURE, NONE, 0, 0},
	{"istypep.texref", UNIT_TEXTURE, NONE, 0, 0},
	{"suld.b.1d.b32.trap", UNIT_TEXTURE, LOAD, SPACE_TEXTURE, 0},
	{"sust.p.2d.v4.b32.clamp", UNIT_TEXTURE, STORE, SPACE_TEXTURE, 0},
	{"sured.b.add.2d.u32.zero", UNIT_TEXTURE, RED, SPACE_TEXTURE, 0},
	{"suq.height.b32", UNIT_TEXTURE, NONE, 0, 0},
	/* 9.7.13 synchronisation and communication */
	{"bar.sync", UNIT_BARRIER, BARRIER, 0, 0},
	{"bar.arrive", UNIT_BARRIER, NONE, 0, 0},
	{"bar.red.popc.u32", UNIT_BARRIER, BARRIER, 0, 0},
	{"barrier.sync.aligned", UNIT_BARRIER, BARRIER, 0, 0},
	{"barrier.cta.arrive", UNIT_BARRIER, NONE, 0, 0},
	{"barrier.cta.red.and.pred", UNIT_BARRIER, BARRIER, 0, 0},
	{"bar.warp.sync", UNIT_CONTROL, NONE, 0, 0},
	{"barrier.cluster.arrive.release", UNIT_BARRIER, NONE, 0, 0},
	{"barrier.cluster.wait.acquire", UNIT_BARRIER, BARRIER, 0, 0},
	{"membar.gl", UNIT_BARRIER, NONE, 0, 0},
	{"fence.acq_rel.gpu", UNIT_BARRIER, NONE, 0, 0},
	{"fence.proxy.tensormap::generic.acquire.gpu", UNIT_BARRIER, NONE, 0, 0},
	{"fence.mbarrier_init.release.cluster", UNIT_BARRIER, NONE, 0, 0},
	{"atom.global.add.f64", UNIT_LOAD_STORE, ATOM, SPACE_GLOBAL, 8},
	{"atom.acq_rel.gpu.global.cas.b128", UNIT_LOAD_STORE, ATOM, SPACE_GLOBAL, 16},
	{"atom.global.v4.f32.add", UNIT_LOAD_STORE, ATOM, SPACE_GLOBAL, 16},
	{"atom.shared.inc.u32", UNIT_LOAD_STORE, ATOM, SPACE_SHARED, 4},
	{"red.global.add.noftz.f16x2", UNIT_LOAD_STORE, RED, SPACE_GLOBAL, 4},
	{"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32", UNIT_LOAD_STORE, RED,
         SPACE_SHARED, 4},
	{"vote.all.pred", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"vote.sync.ballot.b32", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"match.any.sync.b64", UNIT_SHUFFLE, NONE, 0, 0},
	{"match.all.sync.b32", UNIT_SHUFFLE, NONE, 0, 0},
	{"activemask.b32", UNIT_SHIFT_COMPARE, NONE, 0, 0},
	{"redux.sync.min.NaN.f32", UNIT_SHUFFLE, NONE, 0, 0},
	{"griddepcontrol.wait", UNIT_CONTROL, NONE, 0, 0},
	{"elect.sync", UNIT_CONTROL, NONE, 0, 0},
	{"mbarrier.init.shared.b64", UNIT_LOAD_STORE, NONE, SPACE_SHARED, 0},
	{"mbarrier.inval.shared::cta.b64", UNIT_LOAD_STORE, NONE, SPACE_SHARED, 0},
	{"mbarrier.expect_tx.relaxed.cta.shared.b64", UNIT_LOAD_STORE, NONE, SPACE_SHARED, 0},
	{"mbarrier.complete_tx.shared::cluster.b64", UNIT_LOAD_STORE, NONE, SPACE_SHARED, 0},
	{"mbarrier.arrive.noComplete.release.cta.b64", UNIT_LOAD_STORE, NONE, 0, 0},
	{"mbarrier.arrive_drop.expect_tx.shared.b64", UNIT_LOAD_STORE, NONE, SPACE_SHARED, 0},
	{"mbarrier.test_wait.parity.b64", UNIT_LOAD_STORE, NONE, 0, 0},
	{"mbarrier.try_wait.shared.b64", UNIT_LOAD_STORE, NONE, SPACE_SHARED, 0},
	{"mbarrier.pending_count.b64", UNIT_LOAD_STORE, NONE, 0, 0},
	{"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned", UNIT_LOAD_STORE,
         NONE, 0, 0},
	{"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128", UNIT_LOAD_STORE, NONE,
         SPACE_SHARED, 0},
	{"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128", UNIT_MOVE, NONE, 0, 0},
	/* 9.7.14 to 9.7.16 matrices */
	{"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", UNIT_LOAD_STORE, LOAD, SPACE_SHARED, 0},
	{"wmma.store.d.sync.aligned.col.m16n16k16.global.f32", UNIT_LOAD_STORE, STORE, SPACE_GLOBAL, 0},
	{"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", UNIT_TENSOR, NONE, 0, 0},
	{"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", UNIT_TENSOR, NONE, 0, 0},
	{"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", UNIT_TENSOR, NONE, 0, 0},
	{"mma.sync.aligned.kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32.e4m3.e4m3.f32.ue8m0",
         UNIT_TENSOR, NONE, 0, 0},
	{"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", UNIT_LOAD_STORE, LOAD, SPACE_SHARED, 0},
	{"stmatrix.sync.aligned.m16n8.x2.trans.shared.b8", UNIT_LOAD_STORE, STORE, SPACE_SHARED, 0},
	{"movmatrix.sync.aligned.m8n8.trans.b16", UNIT_SHUFFLE, NONE, 0, 0},
	{"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", UNIT_TENSOR, NONE, 0, 0},
	{"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16", UNIT_TENSOR, NONE, 0, 0},
	{"wgmma.fence.sync.aligned", UNIT_CONTROL, NONE, 0, 0},
	{"wgmma.commit_group.sync.aligned", UNIT_CONTROL, NONE, 0, 0},
	{"wgmma.wait_group.sync.aligned", UNIT_CONTROL, NONE, 0, 0},
	{"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32", UNIT_CONTROL, NONE, 0, 0},
	{"tcgen05.dealloc.cta_group::2.sync.aligned.b32", UNIT_CONTROL, NONE, 0, 0},
	{"tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned", UNIT_CONTROL, NONE, 0, 0},
	{"tcgen05.ld.sync.aligned.32x32b.x4.b32", UNIT_LOAD_STORE, NONE, 0, 0},
	{"tcgen05.st.sync.aligned.16x64b.x2.unpack::16b.b32", UNIT_LOAD_STORE, NONE, 0, 0},
	{"tcgen05.wait::st.sync.aligned", UNIT_CONTROL, NONE, 0, 0},
	{"tcgen05.cp.cta_group::1.128x256b.b8x16.b6x16_p32", UNIT_LOAD_STORE, NONE, 0, 0},
	{"tcgen05.shift.cta_group::1.down", UNIT_CONTROL, NONE, 0, 0},
	{"tcgen05.mma.cta_group::1.kind::f16.collector::a::fill", UNIT_TENSOR, NONE, 0, 0},
	{"tcgen05.mma.sp.cta_group::2.kind::i8", UNIT_TENSOR, NONE, 0, 0},
	{"tcgen05.mma.ws.cta_group::1.kind::tf32", UNIT_TENSOR, NONE, 0, 0},
	{"tcgen05.mma.ws.sp.cta_group::1.kind::f8f6f4", UNIT_TENSOR, NONE, 0, 0},
	{"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64", UNIT_CONTROL, NONE, 0, 0},
	{"tcgen05.fence::before_thread_sync", UNIT_CONTROL, NONE, 0, 0},
	{"tcgen05.fence::after_thread_sync", UNIT_CONTROL, NONE, 0, 0},
	/* 9.7.17 to 9.7.19 stack, video, miscellaneous */
	{"stacksave.u64", UNIT_MOVE, NONE, 0, 0},
	{"stackrestore.u32", UNIT_MOVE, NONE, 0, 0},
	{"alloca.u64", UNIT_INT, NONE, 0, 0},
	{"vadd.s32.u32.s32.sat.min", UNIT_INT, MANY, 0, 0},
	{"vsub.u32.u32.u32", UNIT_INT, MANY, 0, 0},
	{"vabsdiff.s32.s32.u32.add", UNIT_INT, MANY, 0, 0},
	{"vmin.s32.s32.s32", UNIT_INT, MANY, 0, 0},
	{"vmax.u32.s32.s32", UNIT_INT, MANY, 0, 0},
	{"vshl.u32.u32.u32.wrap", UNIT_INT, MANY, 0, 0},
	{"vshr.s32.s32.u32.clamp", UNIT_INT, MANY, 0, 0},
	{"vmad.s32.s32.u32.shr7", UNIT_INT, MANY, 0, 0},
	{"vset.s32.u32.lt", UNIT_INT, MANY, 0, 0},
	{"vadd2.s32.s32.u32.sat", UNIT_INT, MANY, 0, 0},
	{"vsub2.s32.s32.s32", UNIT_INT, MANY, 0, 0},
	{"vavrg2.s32.s32.s32", UNIT_INT, MANY, 0, 0},
	{"vabsdiff2.u32.u32.u32.add", UNIT_INT, MANY, 0, 0},
	{"vmin2.s32.s32.s32", UNIT_INT, MANY, 0, 0},
	{"vmax2.s32.s32.s32", UNIT_INT, MANY, 0, 0},
	{"vset2.s32.u32.lt", UNIT_INT, MANY, 0, 0},
	{"vadd4.u32.u32.u32", UNIT_INT, MANY, 0, 0},
	{"vsub4.s32.s32.s32.sat", UNIT_INT, MANY, 0, 0},
	{"vavrg4.u32.u32.u32", UNIT_INT, MANY, 0, 0},
	{"vabsdiff4.u32.u32.u32", UNIT_INT, MANY, 0, 0},
	{"vmin4.u32.u32.u32", UNIT_INT, MANY, 0, 0},
	{"vmax4.s32.s32.s32", UNIT_INT, MANY, 0, 0},
	{"vset4.u32.u32.ne", UNIT_INT, MANY, 0, 0},
	{"brkpt", UNIT_CONTROL, NONE, 0, 0},
	{"nanosleep.u32", UNIT_CONTROL, NONE, 0, 0},
	{"pmevent.mask", UNIT_CONTROL, NONE, 0, 0},
	{"trap", UNIT_CONTROL, FLAG_EXIT, 0, 0},
	{"setmaxnreg.inc.sync.aligned.u32", UNIT_CONTROL, NONE, 0, 0},
	{"exit", UNIT_CONTROL, FLAG_EXIT, 0, 0},
	{"ret.uni", UNIT_CONTROL, FLAG_EXIT, 0, 0},
};

static struct ptx_module *parse(struct arena *arena, const char *text)
{
	struct diagnostics diagnostics;
	struct ptx_module *module;

	diagnostics_init(&diagnostics, arena);
	module = ptx_parse(arena, "isa.ptx", text, strlen(text), &diagnostics);
	if (diagnostics.count || !module)
		fail_msg("line %u: %s\n%s", diagnostics.count ? diagnostics.list[0].place.line : 0,
		         diagnostics.count ? diagnostics.list[0].message : "no module", text);
	return module;
}

static void every_instruction_is_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(expectations); i++) {
		const struct expectation *expected = &expectations[i];
		struct arena *arena = arena_create();
		const struct ptx_module *module =
			parse(arena, arena_printf(arena, "%s.entry k() {\n%s;\n}\n", HEAD, expected->spelling));
		const struct ptx_insn *insn = &module->functions[0].insns[0];
		unsigned bytes = expected->bytes ? ptx_insn_access_bytes(insn) : 0;

		if (insn->operation == OP_OPAQUE)
			fail_msg("%s is not known", expected->spelling);
		if (ptx_insn_unit(insn) != expected->unit || ptx_insn_flags(insn) != expected->flags ||
		    bytes != expected->bytes || (expected->space && insn->space != expected->space))
			fail_msg("%s: unit %d, flags %u, space %s, %u bytes", expected->spelling, ptx_insn_unit(insn),
			         ptx_insn_flags(insn), ptx_space_name((enum ptx_space)insn->space), bytes);
		arena_release(arena);
	}
}

/* bra, brx.idx, call and their lists; every directive. */
static void every_directive_is_known(void **state)
{
	struct arena *arena = arena_create();

	(void)state;
	parse(arena,
	      HEAD "@@DWARF .byte 0x00, 0x61\n"
	           ".file 1 \"a.cu\", 1700000000, 99\n"
	           ".section .debug_str { $L__info: .b8 97, 0 .b32 1, 2 .b64 $L__info }\n"
	           ".pragma \"nounroll\";\n"
	           ".global .texref t; .global .surfref u; .global .samplerref s;\n"
	           ".tex .u64 old;\n"
	           ".visible .global .align 8 .attribute(.managed, .unified(0, 0)) .u64 g[2] = {1, generic(h)};\n"
	           ".weak .const .b8 text[4] = {0x61, 98, 0143, 0};\n"
	           ".common .global .f32 shared_by_modules;\n"
	           ".extern .shared .align 16 .b8 dynamic[];\n"
	           ".extern .global .v4 .f32 h;\n"
	           ".visible .func (.reg .u32 r) f(.param .align 8 .b8 a[12], .reg .f32 x) .noreturn;\n"
	           ".weak .func f2(.param .b64 p) .abi_preserve 8 .abi_preserve_control 4 { ret; }\n"
	           ".visible .func f3(.param .b64 p) { ret; }\n"
	           ".alias f4, f3;\n"
	           ".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 4 .b8 q[64])\n"
	           ".maxnreg 32 .maxntid 256, 1, 1 .minnctapersm 2 .explicitcluster .reqnctapercluster 2, 1, 1\n"
	           "{\n"
	           "\t.reg .pred %p<2>; .reg .b64 %d<3>; .reg .b32 %r<3>; .reg .v4 .f32 %v; .param .b32 %a;\n"
	           "\t.local .align 8 .b8 depot[64]; .shared .f32 tile[4][32];\n"
	           "\t.loc 1 3 5, function_name $L__info + 4, inlined_at 1 2 1\n"
	           "\t.pragma \"used_bytes_mask 0xff\";\n"
	           "table: .branchtargets one, two;\n"
	           "names: .calltargets f2, f3;\n"
	           "shape: .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;\n"
	           "plain: .callprototype _ (.param .b64 _) .abi_preserve 3;\n"
	           "\t{ .param .b64 a; st.param.b64 [a], %d1; call.uni f2, (a); call f3, (a); }\n"
	           "\t{ .param .b64 a; .param .b32 back; call (back), %d1, (a), shape; call %d2, (a), names; call %d2, "
	           "(a), plain; }\n"
	           "\t@!%p1 bra.uni two;\n"
	           "\tbrx.idx %r1, table;\n"
	           "one:\tbra two;\n"
	           "two:\tret;\n"
	           "}\n"
	           ".entry k2() .maxnctapersm 3 .reqntid 32 .maxclusterrank 4 .blocksareclusters { exit; }\n");
	arena_release(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_instruction_is_known),
		cmocka_unit_test(every_directive_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
