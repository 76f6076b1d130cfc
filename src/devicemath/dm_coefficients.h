// SPDX-License-Identifier: Apache-2.0
// Written by tools/fit_devicemath.sollya. Do not edit.
#ifndef HD_DEVICEMATH_DM_COEFFICIENTS_H
#define HD_DEVICEMATH_DM_COEFFICIENTS_H

#include <stdint.h>

// clang-format off
#define DM_LN2_HIGH 0x1.62e42ffp-1
#define DM_LN2_LOW  -0x1.718432a1b0e26p-35

#define DM_LOG10_2_HIGH 0x1.3441350ap-2
#define DM_LOG10_2_LOW  -0x1.0c0219dc1da99p-39

#define DM_LOG2_E_HIGH 0x1.71547652b82fep0
#define DM_LOG2_E_LOW  0x1.777d0ffda0d24p-56

#define DM_LOG10_E_HIGH 0x1.bcb7b1526e50ep-2
#define DM_LOG10_E_LOW  0x1.95355baaafad3p-57

#define DM_LOG2_10_HIGH 0x1.a934f0979a371p1
#define DM_LOG2_10_LOW  0x1.7f2495fb7fa6dp-53

#define DM_PI_HIGH 0x1.921fb54442d18p1
#define DM_PI_LOW  0x1.1a62633145c07p-53

#define DM_LN_PI_HIGH 0x1.250d048e7a1bdp0
#define DM_LN_PI_LOW  0x1.7abf2ad8d5088p-57

#define DM_HALF_LOG2_2PI_HIGH 0x1.536439a4c6efcp0
#define DM_HALF_LOG2_2PI_LOW  -0x1.49e49a361efebp-54

#define DM_HALF_PI_1 0x1.921fb54442d18p0
#define DM_HALF_PI_2 0x1.1a62633145c06p-54
#define DM_HALF_PI_3 0x1.c1cd129024e09p-107

#define DM_LN2F_HIGH 0x1.62e4p-1f
#define DM_LN2F_LOW  0x1.7f7d1cp-20f

#define DM_LOG10_2F_HIGH 0x1.3442p-2f
#define DM_LOG10_2F_LOW  -0x1.95ec1p-19f

#define DM_LOG2_10F_HIGH 0x1.a934fp1f
#define DM_LOG2_10F_LOW  0x1.2f346ep-24f

#define DM_LOG2_EF_HIGH 0x1.715476p0f
#define DM_LOG2_EF_LOW  0x1.4ae0cp-26f

#define DM_LOG10_EF_HIGH 0x1.bcb7b2p-2f
#define DM_LOG10_EF_LOW  -0x1.5b235ep-27f

#define DM_PIF_HIGH 0x1.921fb6p1f
#define DM_PIF_LOW  -0x1.777a5cp-24f

#define DM_HALF_PIF_1 0x1.921fb4p0f
#define DM_HALF_PIF_2 0x1.4442dp-24f
#define DM_HALF_PIF_3 0x1.84698ap-48f

// error 2^-28.03125
static const float dm_exp2f_c[] = {
    0x1.62e43p-1f,
    0x1.ebfbd8p-3f,
    0x1.c6af76p-5f,
    0x1.3b30ap-7f,
    0x1.5f0b82p-10f,
    0x1.3fa206p-13f,};

// error 2^-30.9765625
static const float dm_expm1f_c[] = {
    0x1p-1f,
    0x1.555554p-3f,
    0x1.5554fp-5f,
    0x1.111306p-7f,
    0x1.6d436cp-10f,
    0x1.9e0c06p-13f,};

// error 2^-61.515625
static const double dm_exp_c[] = {
    0x1p-1,
    0x1.5555555555559p-3,
    0x1.555555555554dp-5,
    0x1.111111110f658p-7,
    0x1.6c16c16c1aafep-10,
    0x1.a01a01b00161ap-13,
    0x1.a01a018e0e038p-16,
    0x1.71ddf8166a5a2p-19,
    0x1.27e5133fdbdf9p-22,
    0x1.af5f1db227a0bp-26,
    0x1.1f1a252dc230ep-29,};

// error 2^-57.265625
static const double dm_exp2_c[] = {
    0x1.62e42fefa39efp-1,
    0x1.ebfbdff82c5a6p-3,
    0x1.c6b08d704a12cp-5,
    0x1.3b2ab6fb9fda6p-7,
    0x1.5d87fe789e96fp-10,
    0x1.4309130f6cbdcp-13,
    0x1.ffcbfc6685f14p-17,
    0x1.62bfc6596b96dp-20,
    0x1.b52522bc12186p-24,
    0x1.e61d4332c1a5fp-28,
    0x1.e97317a3287c3p-32,};

// error 2^-57.34375
static const double dm_exp10_c[] = {
    0x1.26bb1bbb55516p1,
    0x1.53524c73cea76p1,
    0x1.0470591de2b43p1,
    0x1.2bd7609fd5321p0,
    0x1.1429ffd22171p-1,
    0x1.a7ed70a101ec1p-3,
    0x1.16e4dee45e06ap-4,
    0x1.41165fb60138p-6,
    0x1.4899f662e2db2p-8,
    0x1.2f72fec788f86p-10,
    0x1.f739a98cc6977p-13,};

// error 2^-34.3125
static const double dm_exp2_short_c[] = {
    0x1.62e42ff0e1925p-1,
    0x1.ebfbe077871dp-3,
    0x1.c6b08ac06aae3p-5,
    0x1.3b29f39d55bb6p-7,
    0x1.5d8a86003ad25p-10,
    0x1.445c83fdf658cp-13,
    0x1.fde5fc123dce8p-17,};

// error 2^-27.6171875
static const float dm_logf_c[] = {
    -0x1p-1f,
    0x1.555502p-2f,
    -0x1.ffff14p-3f,
    0x1.99d1c6p-3f,
    -0x1.559802p-3f,
    0x1.1ec0cep-3f,
    -0x1.f3a7dep-4f,
    0x1.1ec6f8p-3f,
    -0x1.06cdfcp-3f,};

// error 2^-27.7109375
static const float dm_log2f_c[] = {
    0x1.ace1f8p-26f,
    -0x1.715478p-1f,
    0x1.ec6ff4p-2f,
    -0x1.7152a4p-2f,
    0x1.27a5c2p-2f,
    -0x1.ed101ap-3f,
    0x1.9d14a4p-3f,
    -0x1.65c38ap-3f,
    0x1.a039bcp-3f,
    -0x1.850348p-3f,};

// error 2^-27.828125
static const float dm_log10f_c[] = {
    -0x1.20810ep-27f,
    -0x1.bcb7b2p-3f,
    0x1.287a1p-3f,
    -0x1.bcb668p-4f,
    0x1.63fecp-4f,
    -0x1.28c1f4p-4f,
    0x1.f1657ep-5f,
    -0x1.b0d65cp-5f,
    0x1.f5320ep-5f,
    -0x1.ccdfbcp-5f,};

// error 2^-59.5
static const double dm_log_c[] = {
    0x1.5555555555592p-1,
    0x1.999999997ff58p-2,
    0x1.24924941dc60dp-2,
    0x1.c71c5218e11f3p-3,
    0x1.74663bf27dd96p-3,
    0x1.39a2024d17be4p-3,
    0x1.2f02bc1b3b88ap-3,};

// error 2^-44.953125
static const double dm_log2_short_c[] = {
    0x1.ec709dc4c134fp-1,
    0x1.2776c2f186bf4p-1,
    0x1.a619f4a9c33c8p-2,
    0x1.479d211285ac3p-2,
    0x1.214ff8ecd6d7fp-2,};

#define DM_LOG2_LINEF_HIGH 0x1.715476p1f
#define DM_LOG2_LINEF_LOW  0x1.4ae0cp-25f

#define DM_LOG2_CUBEF_HIGH 0x1.ec709ep-1f
#define DM_LOG2_CUBEF_LOW  -0x1.e2fe02p-28f

// error 2^-34.546875
static const float dm_log2f_tail_c[] = {
    0x1.277782p-1f,
    0x1.a56a66p-2f,
    0x1.60a8a8p-2f,};

#define DM_LOG2_LINE_HIGH 0x1.71547652b82fep1
#define DM_LOG2_LINE_LOW  0x1.777d0ffda0d24p-55

#define DM_LOG2_CUBE_HIGH 0x1.ec709dc3a03fdp-1
#define DM_LOG2_CUBE_LOW  0x1.d27f05548af0cp-55

// error 2^-66.28125
static const double dm_log2_tail_c[] = {
    0x1.2776c50ef9d23p-1,
    0x1.a61762a759c08p-2,
    0x1.484b14216efep-2,
    0x1.0c9a63e50ecc1p-2,
    0x1.c69f86fa5f4fp-3,
    0x1.87b137c9f6c75p-3,
    0x1.85e4def083914p-3,};

// error 2^-27.8984375
static const float dm_sinf_c[] = {
    -0x1.555546p-3f,
    0x1.11077ap-7f,
    -0x1.9954e8p-13f,};

// error 2^-33
static const float dm_cosf_c[] = {
    0x1.55554ap-5f,
    -0x1.6c0c2ap-10f,
    0x1.99e914p-16f,};

// error 2^-29.5546875
static const float dm_tanf_c[] = {
    0x1.55556p-2f,
    0x1.110dap-3f,
    0x1.bad94p-5f,
    0x1.5cc6eap-6f,
    0x1.62a8fcp-7f,
    0x1.b2df5p-14f,
    0x1.1e6316p-8f,};

// error 2^-33.609375
static const float dm_sinpif_c[] = {
    -0x1.788346p-24f,
    -0x1.4abbcep2f,
    0x1.466b8ep1f,
    -0x1.32babcp-1f,
    0x1.4821a2p-4f,};

// error 2^-31.2734375
static const float dm_cospif_c[] = {
    -0x1.3bd3ccp2f,
    0x1.03c1a6p2f,
    -0x1.55a3b6p0f,
    0x1.c8603p-3f,
    0x1.974636p-5f,};

// error 2^-62.859375
static const double dm_sin_c[] = {
    -0x1.5555555555555p-3,
    0x1.111111111108bp-7,
    -0x1.a01a01a006d8cp-13,
    0x1.71de3a4019c09p-19,
    -0x1.ae643d4462f14p-26,
    0x1.6114a653314a1p-33,
    -0x1.a55ce702f060fp-41,};

// error 2^-63.9375
static const double dm_cos_c[] = {
    0x1.555555555554bp-5,
    -0x1.6c16c16c15018p-10,
    0x1.a01a019c8f942p-16,
    -0x1.27e4f7f1ee40dp-22,
    0x1.1ee9dc126f59fp-29,
    -0x1.8fa6a86831e75p-37,};

// error 2^-60
static const double dm_tan_c[] = {
    0x1.555555555555dp-2,
    0x1.11111111106e2p-3,
    0x1.ba1ba1bab1e0ep-5,
    0x1.664f485fd98bdp-6,
    0x1.226e3a2cfc346p-7,
    0x1.d6d2f51ce3f3dp-9,
    0x1.7db0d38d20856p-10,
    0x1.34c35088f0f11p-11,
    0x1.fec8b29a8c7ddp-13,
    0x1.607e75fb09a44p-14,
    0x1.164b4cd0947e3p-14,
    -0x1.9baed722d859fp-16,
    0x1.905a2b2ba1c8fp-15,
    -0x1.8fb6aa9a201f2p-16,
    0x1.45752a4a5d17fp-17,};

// error 2^-63.625
static const double dm_sinpi_c[] = {
    0x1.1ae4f0186f4dcp-53,
    -0x1.4abbce625be53p2,
    0x1.466bc6775ab46p1,
    -0x1.32d2cce6337dep-1,
    0x1.50783490ef513p-4,
    -0x1.e3075a4a726eap-8,
    0x1.e8f8fc5d8cdbep-12,
    -0x1.6f1ab4c06bc47p-16,};

// error 2^-61.375
static const double dm_cospi_c[] = {
    -0x1.3bd3cc9be45dep2,
    0x1.03c1f081b5a57p2,
    -0x1.55d3c7e3bfe72p0,
    0x1.e1f50673a1c7fp-3,
    -0x1.a6d1dd93998d5p-6,
    0x1.f9bc58bcd53dcp-10,
    -0x1.a96e8387e7a3dp-14,
    -0x1.09568d757554bp-17,};

// error 2^-28.5
static const float dm_atanf_c[] = {
    -0x1.55553ep-2f,
    0x1.9991ecp-3f,
    -0x1.24211ap-3f,
    0x1.c0946cp-4f,
    -0x1.5825f2p-4f,
    0x1.da9c2ep-5f,
    -0x1.fe7d24p-6f,
    0x1.6551e2p-7f,
    -0x1.d5a1aap-10f,};

// error 2^-31.671875
static const float dm_asinf_c[] = {
    0x1.55554cp-3f,
    0x1.33389ep-4f,
    0x1.6caab6p-5f,
    0x1.04af34p-5f,
    0x1.d7924cp-7f,
    0x1.33d432p-5f,};

// error 2^-57.578125
static const double dm_atan_c[] = {
    -0x1.5555555555526p-2,
    0x1.99999999955b4p-3,
    -0x1.249249237f57dp-3,
    0x1.c71c717fcf76cp-4,
    -0x1.745d11ae74c4cp-4,
    0x1.3b13669a29c9ap-4,
    -0x1.110e5126fa3b8p-4,
    0x1.e1bba66bedb2p-5,
    -0x1.ae5e72bfe9e67p-5,
    0x1.82dad798fe0acp-5,
    -0x1.59a3ff1e0359cp-5,
    0x1.2c2e5cb19de41p-5,
    -0x1.e9fa0d38f10fep-6,
    0x1.683cc8eceb055p-6,
    -0x1.c78fcc1616993p-7,
    0x1.d7b925caa4892p-8,
    -0x1.7a3998a3a2487p-9,
    0x1.b3fac8704d47dp-11,
    -0x1.3f364a25134c3p-13,
    0x1.bbed9a0d9d2e7p-17,};

// error 2^-59.859375
static const double dm_asin_c[] = {
    0x1.5555555555577p-3,
    0x1.333333332e133p-4,
    0x1.6db6db721247bp-5,
    0x1.f1c71a95002fbp-6,
    0x1.6e8bdedebf9dfp-6,
    0x1.1c49f077d5bc7p-6,
    0x1.ca1f8af1f0a39p-7,
    0x1.75859dad05d9ap-7,
    0x1.613c1e6ed7236p-7,
    0x1.e5fbe88dfeb2cp-9,
    0x1.639a894e21126p-6,
    -0x1.57fad0dea93ccp-6,
    0x1.0b45e9f72d94bp-5,};

// error 2^-29.6875
static const float dm_tanhf_c[] = {
    -0x1.55554ap-2f,
    0x1.110dp-3f,
    -0x1.b92358p-5f,
    0x1.5918a4p-6f,
    -0x1.9a79bap-8f,};

// error 2^-31.390625
static const float dm_sinhf_c[] = {
    0x1.555556p-3f,
    0x1.1110eap-7f,
    0x1.a01c22p-13f,
    0x1.76771ep-19f,};

// error 2^-62.546875
static const double dm_sinh_c[] = {
    0x1.5555555555555p-3,
    0x1.111111111117cp-7,
    0x1.a01a01a00db3ap-13,
    0x1.71de3a60a9f7dp-19,
    0x1.ae644b32db998p-26,
    0x1.612abe6b5d71ep-33,
    0x1.aab9951a7065dp-41,
    0x1.4095793845891p-48,};

// error 2^-29.328125
static const float dm_erff_c[] = {
    0x1.06eba8p-3f,
    -0x1.81273ep-2f,
    0x1.ce2cf2p-4f,
    -0x1.b7f88cp-6f,
    0x1.540172p-8f,
    -0x1.a3d812p-11f,
    0x1.4917a4p-14f,};

// error 2^-56.328125
static const double dm_erf_c[] = {
    0x1.06eba8214db69p-3,
    -0x1.812746b0379fdp-2,
    0x1.ce2f21a04360fp-4,
    -0x1.b82ce312ab0a3p-6,
    0x1.565bcd126d6edp-8,
    -0x1.c02db49229b1fp-11,
    0x1.f9a3342152cf7p-14,
    -0x1.f4d31d85b4f84p-17,
    0x1.b9ed71fb0fe73p-20,
    -0x1.5f8e4d2412c7p-23,
    0x1.fc0d5c2f29023p-27,
    -0x1.452ac54ffb859p-30,
    0x1.25ec3cb74e2efp-34,};

// error 2^-54.5625
static const double dm_erfcx_c[] = {
    0x1.3ba5916e9fd7fp0,
    -0x1.1df1ad154a29p-3,
    0x1.f7f5df66fc945p-7,
    0x1.16ecefcfa54e5p-4,
    -0x1.9ddb23c3e4679p-4,
    0x1.7fee004e1014fp-4,
    -0x1.0fb06dfea1ff8p-4,
    0x1.3079edf6b1b9ep-5,
    -0x1.096238764702ap-6,
    0x1.49c6728290a49p-8,
    -0x1.8d4aa606116b6p-11,
    -0x1.a1df2bcfd850ap-13,
    0x1.3be109a263b16p-13,
    -0x1.9957418dfa827p-16,
    -0x1.78a7cece434b9p-17,
    0x1.7f06003fec7adp-18,
    0x1.4150072327c61p-22,
    -0x1.b86e2a40a9102p-21,
    0x1.28c9601d6b3a1p-24,
    0x1.bb20b9002eb46p-24,
    -0x1.0774d4d09607cp-26,
    -0x1.3250c724339eep-27,
    0x1.224b9afb2744ep-29,
    -0x1.bbfb65ad5ef5fp-32,
    -0x1.2e2ba195f7d55p-31,};

// error 2^-31.9296875
static const double dm_erfcx_short_c[] = {
    0x1.46e80e23b4721p0,
    -0x1.7bf5ec9a31c9ep-4,
    -0x1.5407c3ab21b3ap-3,
    0x1.4ffa279cead1fp-3,
    -0x1.bc29f00dce624p-5,
    -0x1.0746d9cdceef8p-7,
    0x1.1d9dae4ebc446p-7,
    0x1.4d49c6c6d9396p-10,
    -0x1.77b6991add185p-10,
    -0x1.d05795bcb3b6ep-12,
    0x1.5e556b6824be8p-13,
    0x1.de9f14b6998bcp-14,
    0x1.195a674139d13p-16,};

// error 2^-29.625
static const float dm_erf_logf_c[] = {
    0x1.d97fcp0f,
    0x1.51c9ap1f,
    0x1.afae76p-1f,
    0x1.53b9c2p-5f,
    -0x1.42b84ap-7f,
    0x1.d827fep-10f,
    -0x1.7b567ap-13f,
    0x1.0d269cp-23f,};

// error 2^-54
static const double dm_stirling_c[] = {
    0x1.5555555555555p-4,
    -0x1.6c16c16c0ebfbp-9,
    0x1.a01a012fec68p-11,
    -0x1.3812d0d051b33p-11,
    0x1.b8bec4fc973e4p-11,
    -0x1.d3dce7661d27cp-10,
    -0x1.68e2f03061ecdp-9,
    0x1.39d23a67416b6p-2,
    -0x1.3b1d2aaa0127fp2,};

// error 2^-56.234375
static const double dm_lgamma_c[] = {
    0x1.b0ee6072093cep-2,
    0x1.4a34cc4a60fa6p-2,
    -0x1.13e001a5575acp-4,
    0x1.51322ac7d8729p-6,
    -0x1.e404fc21a9e7ap-8,
    0x1.7add6ead6bba9p-9,
    -0x1.38ac5c1da5523p-10,
    0x1.0b36afa8b416dp-11,
    -0x1.d3fd5501f475bp-13,
    0x1.a1279e176386cp-14,
    -0x1.78dcd1d747e39p-15,
    0x1.5811127b98473p-16,
    -0x1.3ce952f346ea5p-17,
    0x1.2539d0efdc1e6p-18,
    -0x1.0e786afc50bf5p-19,
    0x1.0730df4191b95p-20,
    -0x1.1613737fa11bdp-21,
    0x1.2ae685d56b70ep-23,
    0x1.7c507c12b905ep-27,
    0x1.63a7592dc7adcp-23,
    -0x1.bd7ee43ddad13p-24,
    -0x1.2c0cd29818be3p-24,};

static const uint64_t dm_two_over_pi[] = {0,
    11743562013128004905u,
    18169587780923219392u,
    15808362127397457985u,
    18325537948574664033u,
    13196794004601950944u,
    452944820249399836u,
    18311050168422213438u,
    16754012890938950788u,
    16833452818741296705u,
    4148332274289687028u,
    11278244420634880059u,
    2303758334597371919u,
    17235013589178936607u,
    7869616827067468215u,
    5712322887342352941u,
    8441921394348257659u,
    4397547296490951402u,
    7780917995555872008u,
    6197850593633725355u};

// clang-format on
#endif
